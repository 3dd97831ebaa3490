import { REQUEST } from '../test-hub.fixture.js';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { setImmediate as turn } from 'node:timers/promises';
import { Backlog } from '../limits/backlog.js';
import { InProcessBackplane } from '../hub/backplane.js';
import { ConnectionClock } from '../limits/connection-clock.js';
import { hubMethod, stream } from '../calls/method-descriptor.js';
import { RecordingTransport } from '../recording-transport.fixture.js';
import { Scheduler } from '../limits/scheduler.js';
import { RunningHub } from '../hub/running-hub.js';
import { UploadStream } from '../streams/upload-stream.js';
import { any, number } from '../wire-type.js';

/** The same in every run, so that a failure can be repeated. */
const SEED = 20_261;
const MAXIMUM_STREAMS = 3;
const quiet = { debug: () => undefined, warn: () => undefined, error: () => undefined };

/** A hub with a method of every kind. `release` ends those that wait. */
function makeHub(): { hub: RunningHub; release: () => void; farewells: string[] } {
  const farewells: string[] = [];
  const clock = new ConnectionClock(1_000);
  const limits = { maximumStreams: MAXIMUM_STREAMS, streamBufferCapacity: 2, parallelInvocations: 2 };
  const hub = new RunningHub(
    { path: '/hub', limits },
    {
      clock,
      logger: quiet,
      backplane: new InProcessBackplane(),
      scheduler: new Scheduler(() => 0),
      backlog: new Backlog(1_000_000, clock),
    },
  );
  hub.lifecycle({ onDisconnected: (_connection, reason) => void farewells.push(reason) });
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  hub.method(hubMethod('Echo', [any], any), ({ args }) => args[0]);
  hub.method(hubMethod('Wait', []), () => released);
  hub.method(hubMethod('Fail', []), () => Promise.reject(new Error('broken')));
  hub.method(hubMethod('Ignore', [stream(number)]), () => undefined);
  hub.method(hubMethod('Hold', [stream(number)]), () => released);
  hub.method(hubMethod('Read', [stream(number)], number), async ({ args }) => {
    let count = 0;
    if (args[0] instanceof UploadStream) for await (const _item of args[0]) count++;
    return count;
  });
  hub.method(hubMethod('Count', [number], stream(number)), async function* ({ args }) {
    await released;
    for (let index = 0; index < args[0]; index++) yield index;
  });
  return { hub, release: () => release(), farewells };
}

const callId = fc.constantFrom('1', '2', '3', '');
const streamId = fc.constantFrom('a', 'b', 'c', 'd');
const value = fc.constantFrom<unknown>(1, 2, 'text', null, [1]);
const record = fc.oneof(
  fc.record({
    type: fc.constantFrom(1, 4),
    invocationId: callId,
    target: fc.constantFrom('Echo', 'Wait', 'Fail', 'Ignore', 'Hold', 'Read', 'Count', 'Missing'),
    arguments: fc.array(value, { maxLength: 2 }),
    streamIds: fc.array(streamId, { maxLength: 2 }),
  }),
  fc.record({
    type: fc.constant(1),
    target: fc.constantFrom('Wait', 'Hold', 'Read', 'Fail'),
    arguments: fc.constant([]),
    streamIds: fc.array(streamId, { maxLength: 1 }),
  }),
  fc.record({ type: fc.constant(2), invocationId: streamId, item: value }),
  fc.record({ type: fc.constant(3), invocationId: fc.oneof(streamId, callId, fc.constantFrom('s1')) }),
  fc.record({ type: fc.constant(3), invocationId: streamId, error: fc.constant('broken') }),
  fc.record({ type: fc.constant(5), invocationId: callId }),
  fc.record({ type: fc.constantFrom(6, 10) }),
);

async function settle(): Promise<void> {
  for (let round = 0; round < 5; round++) await turn();
}

describe('a connection', () => {
  it('keeps nothing of ended calls and streams, for any messages in any pieces', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 30 }), fc.integer({ min: 1, max: 200 }), async (records, pieceLength) => {
        const { hub, release, farewells } = makeHub();
        const transport = new RecordingTransport();
        hub.open(transport, { connectionId: 'n.1', user: undefined, userId: undefined, remoteAddress: undefined, request: REQUEST });
        const text = [{ protocol: 'json', version: 1 }, ...records].map((message) => `${JSON.stringify(message)}\x1e`).join('');
        for (let start = 0; start < text.length; start += pieceLength) transport.deliver(text.slice(start, start + pieceLength));
        await settle();
        release();
        transport.deliverRecords(...['a', 'b', 'c', 'd'].map((invocationId) => ({ type: 3, invocationId })));
        await settle();
        // Ends the streams of calls that got their turn only now.
        transport.deliverRecords(...['a', 'b', 'c', 'd'].map((invocationId) => ({ type: 3, invocationId })));
        await settle();
        expect([transport.paused, transport.ended]).toEqual([false, undefined]);

        transport.clear();
        const fresh = Array.from({ length: MAXIMUM_STREAMS }, (_, index) => `fresh ${index}`);
        transport.deliverRecords(
          ...fresh.map((id) => ({ type: 1, invocationId: `read ${id}`, target: 'Read', arguments: [], streamIds: [id] })),
          ...fresh.map((id) => ({ type: 2, invocationId: id, item: 7 })),
          ...fresh.map((id) => ({ type: 3, invocationId: id })),
        );
        await settle();
        expect(transport.records()).toEqual(fresh.map((id) => ({ type: 3, invocationId: `read ${id}`, result: 1 })));

        transport.lose();
        await settle();
        expect([hub.size, farewells]).toEqual([0, ['lost']]);
      }),
      { seed: SEED, numRuns: 200 },
    );
  });
});
