import { describe, expect, it } from 'vitest';
import { hubMethod } from '../calls/method-descriptor.js';
import type { RecordingTransport } from '../recording-transport.fixture.js';
import { call, invocation, TestHub, turn } from '../test-hub.fixture.js';
import { number } from '../wire-type.js';

/** Calls in one frame: far more than a connection may read in one turn. */
const MANY = 5_000;

function makeHub(): { hub: TestHub; noted: unknown[] } {
  const hub = new TestHub();
  const noted: unknown[] = [];
  hub.method(hubMethod('Note', [number]), ({ args }) => void noted.push(args[0]));
  hub.method(hubMethod('Later', [number]), async ({ args }) => {
    await Promise.resolve();
    noted.push(args[0]);
  });
  return { hub, noted };
}

const numbers = Array.from({ length: MANY }, (_, index) => index);

describe('a connection that sends much at once', () => {
  it.each<[string, (index: number) => object]>([
    ['of unknown methods', (index) => invocation(String(index), 'Missing')],
    ['with wrong arguments', (index) => invocation(String(index), 'Note')],
    ['that end at once', (index) => invocation(String(index), 'Note', index)],
    ['that end a moment later', (index) => invocation(String(index), 'Later', index)],
    ['of no meaning', () => ({ type: 3, invocationId: 'none' })],
  ])('lets others have their turns: calls %s', async (_case, record) => {
    const { hub } = makeHub();
    const [flooding, quiet] = [hub.connect(), hub.connect()];
    flooding.transport.deliverRecords(...numbers.map(record));
    expect(flooding.transport.paused).toBe(true);
    let rounds = 0;
    while (flooding.transport.paused) {
      quiet.transport.deliverRecords(invocation(String(rounds), 'Note', rounds));
      expect(quiet.transport.records()).toHaveLength(rounds + 1);
      rounds += 1;
      await turn();
    }
    expect(rounds).toBeGreaterThan(10);
    expect([hub.errors, flooding.transport.ended]).toEqual([[], undefined]);
  });

  it.each(['Note', 'Later'])('has all its calls carried out in their order: %s', async (method) => {
    const { hub, noted } = makeHub();
    const { transport } = hub.connect();
    transport.deliverRecords(...numbers.slice(0, -2).map((index) => call(method, index)));
    transport.deliverRecords(...numbers.slice(-2).map((index) => call(method, index)));
    while (noted.length < MANY) await turn();
    expect(noted).toEqual(numbers);
    await turn();
    expect(transport.paused).toBe(false);
  });

  it('takes turns with others that send much, in spite of different amounts', async () => {
    const { hub } = makeHub();
    const [large, small] = [hub.connect(), hub.connect()];
    large.transport.deliverRecords(...numbers.map((index) => call('Note', index)));
    small.transport.deliverRecords(...numbers.slice(0, 200).map((index) => call('Note', index)));
    while (small.transport.paused) await turn();
    expect(large.transport.paused).toBe(true);
  });

  it('also waits for its next turn when it sends in small pieces', async () => {
    const { hub, noted } = makeHub();
    const { transport } = hub.connect();
    for (const index of numbers) transport.deliverRecords(call('Note', index));
    expect([transport.paused, noted.length < MANY / 10]).toEqual([true, true]);
    while (noted.length < MANY) await turn();
    expect(noted).toEqual(numbers);
  });

  it('also waits for its next turn when it sends nothing but pings', async () => {
    const { hub } = makeHub();
    const { transport } = hub.connect();
    for (const _ping of numbers.slice(0, 50)) transport.ping();
    expect(transport.paused).toBe(false);
    for (const _ping of numbers.slice(0, 50)) transport.ping();
    expect(transport.paused).toBe(true);
    await turn();
    expect(transport.paused).toBe(false);
  });

  it.each<[string, (transport: RecordingTransport) => void]>([
    ['pings', (transport) => transport.ping()],
    ['empty frames', (transport) => transport.deliver('')],
  ])('is ended when it sends thousands of %s in one turn', (_what, send) => {
    const { hub } = makeHub();
    const { transport } = hub.connect();
    for (const _frame of numbers) send(transport);
    expect([transport.ended, hub.size]).toEqual(['at once', 0]);
  });

  it('is forgotten when it ends while it waits', async () => {
    const { hub, noted } = makeHub();
    const { transport } = hub.connect();
    transport.deliverRecords(...numbers.map((index) => call('Note', index)));
    const before = noted.length;
    transport.lose();
    for (let round = 0; round < 5; round += 1) await turn();
    expect([hub.size, noted.length]).toEqual([0, before]);
  });
});
