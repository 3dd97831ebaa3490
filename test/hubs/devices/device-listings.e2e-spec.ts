import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { agentClient, agentHub, hubFailure, hubOk, Timestamp, type FileSystemEntryDto } from '#libs/contracts';

import { DeviceTimes } from '../../../src/devices/device-link/device-times.js';
import { MAX_LISTING_ENTRIES } from '../../../src/devices/file-system/directory-listings.service.js';
import { createKeyedDevice, FakeAgent, type FakeStream, type KeyedDevice } from '../../support/devices/agents.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';
import { CUT, expectServing, type Outcome, SHORT_MS, shortenTimes, TransferClient, UNHURRIED_MS } from '../transfers.js';

/* Listings of a device that misbehaves: whatever happens, a body that ends is whole. */

const server = testServer({ Service_AppOptions__MaxFileTransferSize: '0' });
const tenant = testTenant(server);
const client = new TransferClient(server, tenant);
const hurry = shortenTimes(server);

const { SendDirectoryContentsStream } = agentHub;

let device: KeyedDevice;
let agent: FakeAgent;

beforeEach(async () => {
  device = await createKeyedDevice(server, tenant);
  agent = await FakeAgent.online(server, device);
});

afterEach(() => agent.stop());

describe('asked for a listing', () => {
  const entry = (name: string): FileSystemEntryDto => ({
    name,
    fullPath: `/${name}`,
    isDirectory: false,
    size: 1,
    lastModified: Timestamp.fromDate(new Date(0)),
    isHidden: false,
    canRead: true,
    canWrite: true,
    hasSubfolders: false,
  });

  const openListing = (streamId: string): FakeStream => agent.openStream(SendDirectoryContentsStream, streamId, true);

  it('is heard while it still sends, and answers last', async () => {
    let finish = (): void => undefined;
    agent.on(agentClient.StreamDirectoryContents, ({ streamId }) => {
      const stream = openListing(streamId).send([entry('first')]);
      return new Promise((resolve) => {
        finish = () => {
          stream.send([entry('last')]).complete();
          resolve(hubOk());
        };
      });
    });
    const response = await client.fetch('contents', { body: { deviceId: device.id, directoryPath: '/' } });
    expect(response.status).toBe(200);
    finish();
    const listing = (await response.json()) as { items: FileSystemEntryDto[] };
    expect(listing).toMatchObject({ directoryExists: true, items: [{ name: 'first' }, { name: 'last' }] });
  });

  it('names a file of more than 53 bits, as a sparse file can be, with its size rounded', async () => {
    agent.on(agentClient.StreamDirectoryContents, ({ streamId }) => {
      openListing(streamId)
        .send([entry('small'), { ...entry('sparse'), size: 2 ** 60 }])
        .complete();
      return hubOk();
    });
    const { status, bytes } = await client.list(device);
    expect([status, bytes?.toString()]).toEqual([200, expect.stringContaining('"size":1152921504606847000,')]);
  });

  it.each<[string, readonly FileSystemEntryDto[], object]>([
    ['nothing', [], { status: 502, problem: { detail: 'Permission denied.' } }],
    ['entries', [entry('a')], CUT],
  ])('refuses after it sent %s', async (_what, entries, expected) => {
    agent.on(agentClient.StreamDirectoryContents, ({ streamId }) => {
      const stream = openListing(streamId);
      if (entries.length > 0) stream.send(entries);
      stream.complete();
      return hubFailure('Permission denied.');
    });
    expect(await client.list(device)).toMatchObject(expected);
  });

  it('vanishes in the middle: the text does not end', async () => {
    agent.on(agentClient.StreamDirectoryContents, ({ streamId }) => {
      openListing(streamId).send([entry('a')]);
      return new Promise(() => undefined);
    });
    const response = await client.fetch('contents', { body: { deviceId: device.id, directoryPath: '/' } });
    agent.vanish();
    await expect(response.text()).rejects.toThrow();
  });

  it('never answers: 504, or cut when it had begun', async () => {
    hurry({ answerMs: SHORT_MS, idleMs: SHORT_MS });
    agent.on(agentClient.StreamDirectoryContents, () => new Promise(() => undefined));
    expect(await client.list(device)).toMatchObject({ status: 504 });
    hurry({ answerMs: UNHURRIED_MS, idleMs: UNHURRIED_MS });
    agent.on(agentClient.StreamDirectoryContents, ({ streamId }) => {
      openListing(streamId)
        .send([entry('a')])
        .complete();
      return new Promise(() => undefined);
    });
    expect(await client.list(device)).toMatchObject(CUT);
  });

  it('has more entries than a listing may: the response is cut', async () => {
    const item = Array.from({ length: 2_500 }, (_, index) => entry(String(index)));
    agent.on(agentClient.StreamDirectoryContents, ({ streamId }) => {
      const stream = openListing(streamId);
      for (let sent = 0; sent <= MAX_LISTING_ENTRIES; sent += item.length) stream.send(item);
      stream.complete();
      return hubOk();
    });
    expect(await client.list(device)).toMatchObject(CUT);
    await expectServing(agent, client);
  });

  it.each(['GetRootDrives', 'GetLogFiles'] as const)('%s: silent 504, null 502', async (name) => {
    hurry({ answerMs: SHORT_MS });
    const ask = (): Promise<Outcome> =>
      name === 'GetLogFiles' ? client.get(`logs/${device.id}`) : client.post('root-drives', { deviceId: device.id });
    agent.answerRaw(agentClient[name], () => new Promise(() => undefined));
    expect(await ask()).toMatchObject({ status: 504 });
    hurry(new DeviceTimes());
    agent.answerRaw(agentClient[name], () => null);
    expect(await ask()).toMatchObject({ status: 502 });
  });
});
