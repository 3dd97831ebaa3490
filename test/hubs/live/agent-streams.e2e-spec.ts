import { describe, expect, it } from 'vitest';
import { Subject } from '@microsoft/signalr';

import { agentClient, agentHub, FileSystemEntryDto, hubFailure, hubOk, type Encoding, type HubResult } from '#libs/contracts';

import { DeviceLink } from '../../../src/devices/device-link/device-link.js';
import type { OpenedStream } from '../../../src/devices/device-link/device-streams.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { createKeyedDevice, FakeAgent, nodeOf } from '../../support/devices/agents.js';
import { eventually, settled } from '../../support/eventually.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';

describe('streams of agents', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const keep = stopAfterEach();

  /** The link of the node that the agent is connected to. */
  const linkOf = ({ device }: FakeAgent): DeviceLink => nodeOf(server, device.id).app.get(DeviceLink);

  async function agentOf(encoding?: Encoding): Promise<FakeAgent> {
    return keep(await FakeAgent.online(server, await createKeyedDevice(server, tenant), encoding));
  }

  type Read<R> = (stream: OpenedStream<Uint8Array>, answer: Promise<HubResult>) => Promise<R>;

  /** Asks the device for a log file, as every download does. */
  function ask<R>(agent: FakeAgent, read: Read<R>): Promise<R> {
    return linkOf(agent).openStream<Uint8Array, HubResult, R>(
      agent.device.id,
      'bytes',
      (invoke, streamId) => invoke(agentClient.StreamFileContents, [{ streamId, filePath: '/var/log/syslog' }]),
      read,
    );
  }

  const readAll: Read<Buffer> = async ({ items }) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of items) chunks.push(chunk);
    return Buffer.concat(chunks);
  };

  const numbered = (count: number, size: number): Buffer[] => Array.from({ length: count }, (_, index) => Buffer.alloc(size, index % 251));

  describe.each<Encoding>(['json', 'messagepack'])('in %s', (encoding) => {
    it('deliver every byte in order', async () => {
      const agent = await agentOf(encoding);
      const chunks = numbered(300, 30_720);
      agent.on(agentClient.StreamFileContents, ({ streamId }) => {
        const stream = agent.openStream(agentHub.SendFileContentStream, streamId);
        for (const chunk of chunks) stream.send(chunk);
        stream.complete();
        return hubOk();
      });
      expect(Buffer.compare(await ask(agent, readAll), Buffer.concat(chunks))).toBe(0);
    });

    it('deliver listings, and whether the directory exists', async () => {
      const agent = await agentOf(encoding);
      const entries = ['a', 'b', 'c'].map((name) =>
        FileSystemEntryDto.decode({ name, fullPath: `/${name}`, lastModified: '2026-01-01T00:00:00+00:00', size: 2 ** 31 }, 'json'),
      );
      agent.on(agentClient.StreamDirectoryContents, ({ streamId, directoryPath }) => {
        const stream = agent.openStream(agentHub.SendDirectoryContentsStream, streamId, directoryPath === '/there');
        if (directoryPath === '/there') stream.send(entries.slice(0, 2)).send(entries.slice(2));
        stream.complete();
        return hubOk();
      });
      const list = (directoryPath: string): Promise<[boolean, FileSystemEntryDto[]]> =>
        linkOf(agent).openStream<FileSystemEntryDto[], HubResult, [boolean, FileSystemEntryDto[]]>(
          agent.device.id,
          'entries',
          (invoke, streamId) => invoke(agentClient.StreamDirectoryContents, [{ streamId, directoryPath, deviceId: agent.device.id }]),
          async ({ items, directoryExists }) => {
            const found: FileSystemEntryDto[] = [];
            for await (const item of items) found.push(...item);
            return [directoryExists, found];
          },
        );
      expect(await list('/there')).toEqual([true, entries]);
      expect(await list('/elsewhere')).toEqual([false, []]);
    });

    it('slow the agent down while nobody reads', async () => {
      const agent = await agentOf(encoding);
      agent.on(agentClient.StreamFileContents, ({ streamId }) => {
        const stream = agent.openStream(agentHub.SendFileContentStream, streamId);
        for (const chunk of numbered(600, 30_720)) stream.send(chunk);
        stream.complete();
        return hubOk();
      });
      const total = await ask(agent, async ({ items }) => {
        const iterator = items[Symbol.asyncIterator]();
        let read = (await iterator.next()).value?.length ?? 0;
        // Bytes that the server does not read stay with the agent.
        expect(await settled('what the agent cannot send', () => agent.unsentBytes)).toBeGreaterThan(5_000_000);
        for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) read += next.value.length;
        return read;
      });
      expect(total).toBe(600 * 30_720);
    });
  });

  it('are read as they arrive, before the agent has answered', async () => {
    const agent = await agentOf();
    let finish: () => void = () => undefined;
    const isRead = new Promise<void>((resolve) => (finish = resolve));
    agent.on(agentClient.StreamFileContents, async ({ streamId }) => {
      agent.openStream(agentHub.SendFileContentStream, streamId).send(Buffer.from('first')).complete();
      await isRead;
      return hubOk();
    });
    const text = await ask(agent, async (stream, answer) => {
      const bytes = await readAll(stream, answer);
      finish();
      await answer;
      return bytes.toString();
    });
    expect(text).toBe('first');
  });

  it('that nobody waits for are drained, and the connection stays open', async () => {
    const [agent, other] = [await agentOf(), await agentOf()];
    agent.on(agentClient.StreamFileContents, async ({ streamId }) => {
      // A stream of another agent, of another kind, and an unknown one. Each has more items than any buffer holds.
      const forged = [
        other.openStream(agentHub.SendFileContentStream, streamId),
        agent.openStream(agentHub.SendFileContentStream, newGuid()),
        agent.openStream(agentHub.SendDesktopPreviewStream, newGuid()),
        agent.openStream(agentHub.SendSubdirectoriesStream, streamId),
      ];
      for (const stream of forged) for (let index = 0; index < 50; index += 1) stream.sendRaw(Buffer.from('forged').toString('base64'));
      for (const stream of forged) stream.complete();
      expect((await agent.heartbeat()).isSuccess).toBe(true);
      expect((await other.heartbeat()).isSuccess).toBe(true);
      agent.openStream(agentHub.SendFileContentStream, streamId).send(Buffer.from('real')).complete();
      return hubOk();
    });
    expect((await ask(agent, readAll)).toString()).toBe('real');
    expect((await agent.heartbeat()).isSuccess).toBe(true);
    expect((await other.heartbeat()).isSuccess).toBe(true);
  });

  it('tell an agent on request whether its stream was expected', async () => {
    const agent = await agentOf();
    const send = async (streamId: string): Promise<unknown> => {
      const subject = new Subject<string>();
      const result = agent.connection.invoke(agentHub.SendFileContentStream.name, streamId, subject);
      subject.complete();
      return result;
    };
    const results: unknown[] = [await send(newGuid())];
    agent.on(agentClient.StreamFileContents, async ({ streamId }) => {
      send(streamId).then(
        (result) => results.push(result),
        () => undefined,
      );
      return hubOk();
    });
    expect(await ask(agent, readAll)).toHaveLength(0);
    await eventually('the second answer', () => results.length === 2);
    expect(results).toEqual([
      { isSuccess: false, reason: 'Nobody waits for this stream.', errorCode: null },
      { isSuccess: true, reason: null, errorCode: null },
    ]);
  });

  it.each<{ readonly name: string; readonly more: readonly unknown[] }>([
    { name: agentHub.SendDesktopPreviewStream.name, more: [] },
    { name: agentHub.SendDirectoryContentsStream.name, more: [true] },
    { name: agentHub.SendSubdirectoriesStream.name, more: [] },
  ])('fail the call of an agent that asks, where no result tells it: $name', async ({ name, more }) => {
    const agent = await agentOf();
    const subject = new Subject<unknown>();
    const answer = agent.connection.invoke(name, newGuid(), ...more, subject);
    subject.complete();
    await expect(answer).rejects.toThrow('Nobody waits for this stream.');
    expect((await agent.heartbeat()).isSuccess).toBe(true);
  });

  it('end the wait at once when the agent refuses', async () => {
    const agent = await agentOf();
    agent.on(agentClient.StreamFileContents, () => hubFailure('The file was not found.'));
    await expect(ask(agent, readAll)).rejects.toThrow('The file was not found.');
  });

  it('end the wait at once when the agent disconnects, also after it has answered', async () => {
    for (const answersFirst of [false, true]) {
      const agent = await agentOf();
      let isAnswered = false;
      agent.on(agentClient.StreamFileContents, () => {
        if (!answersFirst) agent.vanish();
        isAnswered = true;
        return hubOk();
      });
      const asked = ask(agent, readAll);
      const outcome = expect(asked).rejects.toThrow('The device disconnected');
      if (answersFirst) {
        await eventually('the agent is asked', () => isAnswered);
        // The answer goes first on the same socket.
        expect((await agent.heartbeat()).isSuccess).toBe(true);
        agent.vanish();
      }
      await outcome;
    }
  });

  it('break off when the agent disconnects, fails or sends invalid items, after earlier items were read', async () => {
    const endings: [(agent: FakeAgent, stream: ReturnType<FakeAgent['openStream']>) => void, RegExp][] = [
      [(agent) => agent.vanish(), /connection ended/],
      [(_, stream) => stream.fail('disk error'), /disk error/],
      [(_, stream) => void stream.sendRaw(42), /does not fit/],
    ];
    for (const [end, message] of endings) {
      const agent = await agentOf();
      agent.on(agentClient.StreamFileContents, ({ streamId }) => {
        const stream = agent.openStream(agentHub.SendFileContentStream, streamId).send(Buffer.from('half'));
        void eventually('the first half has arrived', () => received.length > 0).then(() => end(agent, stream));
        return hubOk();
      });
      const received: string[] = [];
      const reading = ask(agent, async ({ items }) => {
        for await (const item of items) received.push(Buffer.from(item).toString());
      });
      await expect(reading).rejects.toThrow(message);
      expect(received).toEqual(['half']);
    }
  });

  it('are released when the reader leaves early, and the agent can continue with other calls', async () => {
    const agent = await agentOf();
    agent.on(agentClient.StreamFileContents, ({ streamId }) => {
      const stream = agent.openStream(agentHub.SendFileContentStream, streamId);
      for (const chunk of numbered(600, 30_720)) stream.send(chunk);
      stream.complete();
      return hubOk();
    });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(ask(agent, () => Promise.reject(new Error('The reader left.')))).rejects.toThrow('The reader left.');
      expect((await agent.heartbeat()).isSuccess).toBe(true);
    }
    await eventually('the rest has been drained', () => agent.unsentBytes === 0);
  });

  it('run in parallel on one connection', async () => {
    const agent = await agentOf();
    agent.on(agentClient.StreamFileContents, async ({ streamId }) => {
      const stream = agent.openStream(agentHub.SendFileContentStream, streamId);
      for (let index = 0; index < 5; index += 1) stream.send(Buffer.from(`${streamId} `));
      stream.complete();
      return hubOk();
    });
    const texts = await Promise.all(Array.from({ length: 20 }, () => ask(agent, readAll).then(String)));
    for (const text of texts) expect(new Set(text.trim().split(' ')).size).toBe(1);
    expect(new Set(texts).size).toBe(20);
  });
});
