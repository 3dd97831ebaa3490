import { afterEach, describe, expect, it } from 'vitest';

import type { CarrierListener } from '../../src/live/nodes/line/carrier.js';
import { NatsCarrier, NatsRefusal } from '../../src/live/nodes/line/nats-carrier.js';
import type { NatsOptions } from '../../src/live/nodes/line/nats-connection.js';
import { NodeUnreachable, NotDone, OutcomeUnknown, UnknownCall } from '../../src/live/nodes/line/node-calls.js';
import { NodeLine } from '../../src/live/nodes/line/node-line.js';
import { conflict, DomainError } from '../../src/platform/common/errors/errors.js';
import { eventually } from '../support/eventually.js';
import { NatsServer, noNats } from './support/nats-server.js';
import { StallingProxy } from './support/stalling-proxy.js';

/** Methods of this test. */
interface Methods {
  readonly [method: string]: { readonly args: readonly unknown[]; readonly answer: unknown };
  readonly Echo: { readonly args: readonly unknown[]; readonly answer: unknown };
}

const options = (server: NatsServer, changes: Partial<NatsOptions> = {}): NatsOptions => ({
  servers: [server.url],
  seed: null,
  user: null,
  ca: null,
  name: 'test',
  ...changes,
});

/** A node of the test, with all that it was told. */
class TestNode {
  readonly began: unknown[] = [];
  readonly refusals: string[] = [];
  readonly changed: unknown[] = [];
  mended = 0;
  missed = 0;
  clockAheadMs = 0;
  release: (() => void) | null = null;
  readonly line: NodeLine<Methods>;

  constructor(readonly id: string) {
    this.line = new NodeLine<Methods>(
      {
        id,
        databaseTime: () => Date.now() + this.clockAheadMs,
        isServing: () => true,
        changed: (ids) => void this.changed.push(ids),
        toasted: (toast) => void this.changed.push(toast),
        mended: () => void (this.mended += 1),
        missed: () => void (this.missed += 1),
        refused: (kind) => void this.refusals.push(kind),
      },
      {
        Echo: (args) => {
          this.began.push(args[0]);
          return Promise.resolve(args);
        },
        Refuse: () => Promise.reject(conflict('The device is offline.')),
        Fail: () => Promise.reject(new Error('A fault of the program.')),
        Leave: () => Promise.reject(new NotDone('It is not here.')),
        Hold: async () => {
          await new Promise<void>((resolve) => (this.release = resolve));
          return null;
        },
      },
    );
  }

  open(server: NatsServer, changes: Partial<NatsOptions> = {}): Promise<void> {
    return this.line.open((listener: CarrierListener) => NatsCarrier.open(this.id, options(server, changes), listener));
  }

  call(node: TestNode | string, method: string, args: readonly unknown[] = [], withinMs = 30_000): Promise<unknown> {
    return this.line.calls.call(typeof node === 'string' ? node : node.id, method, args, withinMs);
  }
}

const suite = noNats === undefined ? describe : describe.skip;

suite(`the line between nodes${noNats === undefined ? '' : ` (skipped: ${noNats})`}`, () => {
  const open: { close(): Promise<void> }[] = [];

  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close();
  });

  async function nats(parameters: readonly string[] = []): Promise<NatsServer> {
    const server = await NatsServer.start(parameters);
    open.push({ close: () => server.kill() });
    return server;
  }

  async function nodes(server: NatsServer, ...ids: readonly string[]): Promise<readonly TestNode[]> {
    const made = ids.map((id) => new TestNode(id));
    for (const node of made) {
      await node.open(server);
      open.push({ close: () => node.line.close() });
    }
    await eventually('all are heard', () => made.every(({ line }) => line.isUp && line.heardNodes.length === ids.length - 1));
    return made;
  }

  /** Calls a node that has connected again. Until NATS has its subscription, it looks as if nobody was there. */
  async function calledAgain(from: TestNode, to: TestNode, argument: string): Promise<unknown> {
    let answer: unknown;
    await eventually('NATS has its subscription', async () => {
      answer = await from.call(to, 'Echo', [argument]).catch((error: unknown) => error);
      return !(answer instanceof NodeUnreachable);
    });
    return answer;
  }

  it('carries calls in their order, and their answers', async () => {
    const [a, b] = await nodes(await nats(), 'a', 'b');
    const numbers = Array.from({ length: 1_500 }, (_, index) => index);
    const answers = await Promise.all(
      numbers.map((number) => a.call(b, 'Echo', [number, { text: 'ß€', none: null, bytes: Buffer.from([1, 2]) }])),
    );
    expect(b.began).toEqual(numbers);
    expect(answers[7]).toEqual([7, { text: 'ß€', none: null, bytes: Buffer.from([1, 2]) }]);
    expect([a.refusals, b.refusals]).toEqual([[], []]);
  });

  it('answers with what the asked node refuses', async () => {
    const [a, b] = await nodes(await nats(), 'a', 'b');
    await expect(a.call(b, 'Refuse')).rejects.toThrow(new DomainError('Conflict' as never, 'The device is offline.').message);
    await expect(a.call(b, 'Fail')).rejects.toThrow('The call failed at the node of the device.');
    await expect(a.call(b, 'Leave')).rejects.toBeInstanceOf(NotDone);
    await expect(a.call(b, 'Unknown')).rejects.toBeInstanceOf(UnknownCall);
  });

  it('fails at once where nobody is, also once a node has ended', async () => {
    const server = await nats();
    const [a] = await nodes(server, 'a');
    await expect(a.call('nobody', 'Echo')).rejects.toBeInstanceOf(NodeUnreachable);
    const b = new TestNode('b');
    await b.open(server);
    expect(await a.call(b, 'Echo', [1])).toEqual([1]);
    await b.line.close();
    await expect(a.call(b, 'Echo', [2])).rejects.toBeInstanceOf(NodeUnreachable);
    expect(b.began).toEqual([1]);
  });

  it('does not begin what comes late', async () => {
    const [a, b] = await nodes(await nats(), 'a', 'b');
    b.clockAheadMs = 5_500;
    await expect(a.call(b, 'Echo', [1])).rejects.toBeInstanceOf(NotDone);
    expect(b.began).toEqual([]);
  });

  it('ends a call at its deadline, and drops the answer that comes after it', async () => {
    const [a, b] = await nodes(await nats(), 'a', 'b');
    // It has to begin before, also on a machine that has much else to do.
    const held = a.call(b, 'Hold', [], 3_000);
    held.catch(() => undefined);
    await eventually('the call has begun', () => b.release !== null);
    await expect(held).rejects.toBeInstanceOf(OutcomeUnknown);
    b.release?.();
    await eventually('the answer is dropped', () => a.refusals.includes('answer'));
  });

  it('ends calls under way when NATS is away, fails later ones at once, and is back by itself', async () => {
    const server = await nats();
    const [a, b] = await nodes(server, 'a', 'b');
    const underWay = a.call(b, 'Hold');
    underWay.catch(() => undefined);
    await eventually('the call has begun', () => b.release !== null);
    await server.kill();
    await expect(underWay).rejects.toBeInstanceOf(OutcomeUnknown);
    await expect(a.call(b, 'Echo', ['away'])).rejects.toBeInstanceOf(NodeUnreachable);
    const mended = a.mended;
    await server.startAgain();
    await eventually('both are up', () => a.line.isUp && b.line.isUp && a.line.heardNodes.length === 1);
    expect(await calledAgain(a, b, 'back')).toEqual(['back']);
    expect(b.began).toEqual(['back']);
    expect(a.mended).toBe(mended + 1);
  });

  it('ends calls to a node whose connection was cut, although it is heard all the time', async () => {
    const server = await nats();
    const proxy = await StallingProxy.to(server.port);
    open.push({ close: () => proxy.stop() });
    const [a] = await nodes(server, 'a');
    const b = new TestNode('b');
    await b.open(server, { servers: [proxy.url], name: 'connection of b' });
    open.push({ close: () => b.line.close() });
    await eventually('both are heard', () => [a, b].every(({ line }) => line.isUp && line.heardNodes.length === 1));
    const underWay = a.call(b, 'Hold', [], 600_000);
    underWay.catch(() => undefined);
    await eventually('the call has begun', () => b.release !== null);
    proxy.cut('connection of b');
    await expect(underWay).rejects.toBeInstanceOf(OutcomeUnknown);
    expect(await a.call(b, 'Echo', ['again'])).toEqual(['again']);
    b.release?.();
  });

  it('starts without NATS, and is up once it is there', async () => {
    const server = await nats();
    await server.kill();
    const [node, other] = [new TestNode('a'), new TestNode('b')];
    for (const each of [node, other]) {
      await each.open(server);
      open.push({ close: () => each.line.close() });
    }
    expect(node.line.isUp).toBe(false);
    await expect(node.call(other, 'Echo')).rejects.toBeInstanceOf(NodeUnreachable);
    await server.startAgain();
    await eventually('both are up', () => node.line.isUp && other.line.isUp);
    expect(await node.call(other, 'Echo', [1])).toEqual([1]);
  });

  it.each(['at the start', 'while it is looked for'])(
    'connects once more when NATS ends its connection %s, and begins nothing twice',
    async (when) => {
      const server = await nats();
      const proxy = await StallingProxy.to(server.port);
      open.push({ close: () => proxy.stop() });
      const [a] = await nodes(server, 'a');
      const b = new TestNode('b');
      if (when !== 'at the start') await server.kill();
      proxy.cutsAt = when === 'at the start' ? 'SUB ' : null;
      await b.open(server, { servers: [proxy.url] });
      open.push({ close: () => b.line.close() });
      if (when !== 'at the start') {
        proxy.cutsAt = 'SUB ';
        await server.startAgain();
      }
      await eventually('both are heard', () => [a, b].every(({ line }) => line.isUp && line.heardNodes.length === 1));
      expect(proxy.cutsAt).toBeNull();
      expect(await a.call(b, 'Echo', [1])).toEqual([1]);
      expect(await a.call(b, 'Echo', [2])).toEqual([2]);
      expect(b.began).toEqual([1, 2]);
    },
  );

  it('notices a NATS that stands still, and calls nothing late when it goes on', async () => {
    const server = await nats();
    const [a, b] = await nodes(server, 'a', 'b');
    await server.freeze();
    const caught = a.call(b, 'Echo', ['late']).catch((error: unknown) => error);
    expect(await caught).toBeInstanceOf(OutcomeUnknown);
    await eventually('the line is down', () => !a.line.isUp);
    await expect(a.call(b, 'Echo', ['later'])).rejects.toBeInstanceOf(NodeUnreachable);
    server.thaw();
    await eventually('both are up', () => a.line.isUp && b.line.isUp);
    expect(await calledAgain(a, b, 'again')).toEqual(['again']);
    expect(b.began.filter((argument) => argument === 'later')).toEqual([]);
  });

  it('tells all other nodes of changes, and not itself', async () => {
    const [a, b, c] = await nodes(await nats(), 'a', 'b', 'c');
    const id = Buffer.alloc(16, 7);
    a.line.signal([id]);
    a.line.signal('all');
    a.line.toast({ deviceId: 'd', severity: 1, text: 'Updated' });
    for (const other of [b, c]) {
      await eventually('the signals have come', () => other.changed.length === 3);
      expect(other.changed).toEqual([[id], 'all', { nodeId: 'a', deviceId: 'd', severity: 1, text: 'Updated' }]);
    }
    expect(a.changed).toEqual([]);
    expect([a, b, c].map(({ missed }) => missed)).toEqual([0, 0, 0]);
  });

  it('drops and counts what no node sends', async () => {
    const server = await nats();
    const [a, b] = await nodes(server, 'a', 'b');
    const stranger = await NatsCarrier.open('stranger', options(server), {
      message: () => undefined,
      nobody: () => undefined,
      up: () => undefined,
      down: () => undefined,
    });
    open.push(stranger);
    const garbage = [
      Buffer.alloc(0),
      Buffer.from([0xc1]),
      Buffer.from([0x91, 0xc0]),
      Buffer.alloc(1_000_000, 0x91),
      Buffer.from([0xdd, 0xff, 0xff, 0xff, 0xff]),
    ];
    for (const bytes of garbage) {
      stranger.publish('dm.1.node.b', bytes, 'dm.1.answer.a.1');
      stranger.publish('dm.1.answer.b.0', bytes);
      for (const subject of ['dm.1.here', 'dm.1.changed', 'dm.1.toast', 'dm.1.more']) stranger.publish(subject, bytes);
    }
    stranger.publish('dm.1.node.b', Buffer.from([0x92, 0x00, 0x90]));
    await eventually('all is refused', () => b.refusals.length >= 5 * garbage.length);
    expect(await a.call(b, 'Echo', [1])).toEqual([1]);
    expect(b.began).toEqual([1]);
  });

  it('refuses to start with a user that NATS does not know', async () => {
    const server = await nats(['--user', 'nodes', '--pass', 'right']);
    const node = new TestNode('a');
    await expect(node.open(server, { user: { name: 'nodes', password: 'wrong' } })).rejects.toBeInstanceOf(NatsRefusal);
    await node.open(server, { user: { name: 'nodes', password: 'right' } });
    open.push({ close: () => node.line.close() });
    await eventually('it is up', () => node.line.isUp);
  });
});
