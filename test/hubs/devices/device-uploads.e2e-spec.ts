import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { agentClient, agentHub, hubFailure, hubOk } from '#libs/contracts';

import { createKeyedDevice, FakeAgent, type KeyedDevice } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { CHUNK, expectServing, SHORT_MS, shortenTimes, TransferClient, UNHURRIED_MS } from '../transfers.js';

/* Uploads to a device that misbehaves, or by a sender that does. */

const server = testServer({ Service_AppOptions__MaxFileTransferSize: '0' });
const tenant = testTenant(server);
const client = new TransferClient(server, tenant);
const hurry = shortenTimes(server);

const MEBIBYTE = 1024 * 1024;

let device: KeyedDevice;
let agent: FakeAgent;

beforeEach(async () => {
  device = await createKeyedDevice(server, tenant);
  agent = await FakeAgent.online(server, device);
});

afterEach(() => agent.stop());

describe('given a file', () => {
  /** Fetches the offered bytes; settles with their number, or rejects with the error that ended them. */
  function take(dto: Parameters<(typeof agentHub.GetFileStreamFromViewer.parameters)[0]['encode']>[0]): Promise<number> {
    const { name, parameters, returns } = agentHub.GetFileStreamFromViewer;
    return new Promise((resolve, reject) => {
      let total = 0;
      agent.connection.stream<unknown>(name, parameters[0].encode(dto, 'json')).subscribe({
        next: (item) => (total += returns.stream.decode(item, 'json').length),
        complete: () => resolve(total),
        error: reject,
      });
    });
  }

  it('is told the size to the byte, but for the line break that may end a form', async () => {
    let announced = 0;
    agent.on(agentClient.DownloadFileFromViewer, async (dto) => {
      announced = dto.fileSize;
      expect(await take(dto)).toBe(100_000);
      return hubOk();
    });
    expect((await client.upload(device, 100_000)).statusCode).toBe(200);
    expect(announced).toBe(100_002);
  });

  it('refuses while the sender still sends: the sender is told at once', async () => {
    agent.on(agentClient.DownloadFileFromViewer, () => hubFailure('File already exists.'));
    const { sender, answer } = client.startUpload(device, 64 * MEBIBYTE);
    sender.write(CHUNK);
    const response = await answer;
    expect(response.statusCode).toBe(400);
    response.resume();
    sender.destroy();
    await expectServing(agent, client);
  });

  it('claims to be done without having read it: 502', async () => {
    agent.on(agentClient.DownloadFileFromViewer, () => hubOk());
    expect((await client.upload(device, 1_000)).statusCode).toBe(502);
  });

  it('never fetches it: 504', async () => {
    hurry({ answerMs: SHORT_MS });
    agent.on(agentClient.DownloadFileFromViewer, () => new Promise(() => undefined));
    expect((await client.upload(device, 1_000)).statusCode).toBe(504);
  });

  it('stops taking it: 504', async () => {
    // The sender's time too, which has to be enough for it.
    hurry({ idleMs: UNHURRIED_MS });
    agent.on(agentClient.DownloadFileFromViewer, (dto) => {
      void take(dto).catch(() => undefined);
      setImmediate(() => agent.stall());
      return new Promise(() => undefined);
    });
    expect((await client.upload(device, 64 * MEBIBYTE)).statusCode).toBe(504);
    agent.goOn();
  });

  it('vanishes in the middle: 502', async () => {
    agent.on(agentClient.DownloadFileFromViewer, (dto) => {
      void take(dto).catch(() => undefined);
      agent.vanish();
      return new Promise(() => undefined);
    });
    expect((await client.upload(device, 8 * MEBIBYTE)).statusCode).toBe(502);
  });

  it('fetches it a second time, or for another device: it gets an error', async () => {
    const intruder = await FakeAgent.online(server, await createKeyedDevice(server, tenant));
    agent.on(agentClient.DownloadFileFromViewer, async (dto) => {
      const { name, parameters } = agentHub.GetFileStreamFromViewer;
      const stolen = new Promise((resolve, reject) => {
        intruder.connection
          .stream(name, parameters[0].encode(dto, 'json'))
          .subscribe({ next: resolve, complete: () => resolve(null), error: reject });
      });
      await expect(stolen).rejects.toThrow('Nobody waits for this stream.');
      expect(await take(dto)).toBe(10);
      await expect(take(dto)).rejects.toThrow('Nobody waits for this stream.');
      return hubOk();
    });
    expect((await client.upload(device, 10)).statusCode).toBe(200);
    await intruder.stop();
  });

  it('is told that the sender has left', async () => {
    let isAsked = false;
    const ended = new Promise<unknown>((resolve) => {
      agent.on(agentClient.DownloadFileFromViewer, async (dto) => {
        isAsked = true;
        await take(dto).catch(resolve);
        return hubFailure('The upload was canceled.');
      });
    });
    const { sender } = client.startUpload(device, MEBIBYTE);
    sender.write(CHUNK);
    // Of a sender that leaves before, no agent hears at all.
    await eventually('the agent is asked', () => isAsked);
    sender.destroy();
    expect(String(await ended)).toContain('canceled by client');
    await expectServing(agent, client);
  });

  it('waits for a sender that has stopped sending: 408', async () => {
    hurry({ idleMs: UNHURRIED_MS });
    agent.on(agentClient.DownloadFileFromViewer, async (dto) => {
      await take(dto);
      return hubOk();
    });
    const { sender, answer } = client.startUpload(device, MEBIBYTE);
    sender.write(CHUNK);
    const response = await answer;
    expect(response.statusCode).toBe(408);
    response.resume();
    sender.destroy();
  });
});
