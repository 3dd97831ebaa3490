import { describe, expect, it } from 'vitest';
import { MAXIMUM_WAITING_CALLS } from './client-messages.js';
import type { Invocation } from '../hub/invocation.js';
import { hubMethod } from './method-descriptor.js';
import { call, eventually, gate, invocation, question, TestHub, turn } from '../test-hub.fixture.js';
import { any, number, text } from '../wire-type.js';

describe('calls of a client', () => {
  it('runs calls at once up to the limit, then pauses the socket until one of them is done', async () => {
    const hub = new TestHub({ limits: { parallelInvocations: 2 } });
    const gates = [gate(), gate(), gate(), gate()];
    const started: number[] = [];
    hub.method(hubMethod('Work', [number]), async ({ args }) => {
      const [index] = args;
      started.push(index);
      await gates[index].opened;
    });
    const { transport } = hub.connect();
    transport.deliverRecords(...[0, 1, 2, 3].map((index) => invocation(`${index}`, 'Work', index)));
    expect(started).toEqual([0, 1]);
    expect(transport.paused).toBe(true);
    gates[1].open();
    await turn();
    expect(started).toEqual([0, 1, 2]);
    expect(transport.paused).toBe(true);
    gates[0].open();
    await turn();
    expect(started).toEqual([0, 1, 2, 3]);
    expect(transport.paused).toBe(false);
    gates[2].open();
    gates[3].open();
    await turn();
    expect(transport.records()).toEqual(['1', '0', '2', '3'].map((invocationId) => ({ type: 3, invocationId, result: null })));
  });

  it.each<[string, (work: Promise<void>) => unknown]>([
    ['as soon as they begin', () => undefined],
    ['a moment later', () => Promise.resolve()],
    ['together with the first one', (work) => work],
  ])('starts thousands of waiting calls in the order in which they came, when calls end %s', async (_case, answer) => {
    const COUNT = 20_000;
    const hub = new TestHub({ limits: { parallelInvocations: 2 } });
    const work = gate();
    const started: unknown[] = [];
    hub.method(hubMethod('Work', []), () => work.opened);
    hub.method(hubMethod('Note', [number]), ({ args }) => {
      started.push(args[0]);
      return answer(work.opened);
    });
    const { transport } = hub.connect();
    const numbers = Array.from({ length: COUNT }, (_, index) => index);
    // The last call arrives in two pieces, while others wait.
    const frames = [call('Work'), call('Work'), ...numbers.map((value) => call('Note', value))]
      .map((record) => `${JSON.stringify(record)}\x1e`)
      .join('');
    transport.deliver(frames.slice(0, -5));
    transport.deliver(frames.slice(-5));
    expect([started, transport.paused]).toEqual([[], true]);
    work.open();
    while (started.length < COUNT) await turn();
    await turn();
    expect([hub.errors, transport.paused, transport.ended]).toEqual([[], false, undefined]);
    expect(started).toEqual(numbers);
  });

  it('know when they arrived, however long they have waited for their turn', async () => {
    const hub = new TestHub({ limits: { parallelInvocations: 1 } });
    const gates = [gate(), gate(), gate()];
    const arrived: number[] = [];
    hub.method(hubMethod('Work', [number]), async ({ args: [index], arrivedAt }) => {
      arrived.push(arrivedAt);
      await gates[index].opened;
    });
    const { transport } = hub.connect();
    const next = async (index: number): Promise<void> => {
      hub.reading.now += 1_000;
      gates[index].open();
      await turn();
    };
    hub.reading.now = 5_000;
    // The second one waits for its turn as a message, and the third one as bytes.
    transport.deliverRecords(invocation('0', 'Work', 0), invocation('1', 'Work', 1));
    hub.reading.now = 5_500;
    transport.deliverRecords(invocation('2', 'Work', 2));
    for (const index of gates.keys()) await next(index);
    transport.deliverRecords(invocation('3', 'Work', 2));
    expect(arrived).toEqual([5_000, 5_000, 5_500, 8_500]);
  });

  it("lets the answer of a client overtake the client's own calls that wait", async () => {
    const hub = new TestHub({ limits: { parallelInvocations: 1 } });
    hub.method(hubMethod('AskMe', [], text), async ({ connection }) => (await connection.invoke(question, ['Ready?'])) ?? '');
    const { transport } = hub.connect();
    transport.deliverRecords(invocation('1', 'AskMe'), invocation('2', 'AskMe'));
    expect(transport.paused).toBe(false);
    transport.deliverRecords({ type: 3, invocationId: 's1', result: 'Yes.' });
    await turn();
    transport.deliverRecords({ type: 3, invocationId: 's2', result: 'Again.' });
    await turn();
    expect(transport.records().filter((record) => JSON.stringify(record).includes('"type":3'))).toEqual([
      { type: 3, invocationId: '1', result: 'Yes.' },
      { type: 3, invocationId: '2', result: 'Again.' },
    ]);
  });

  it('starts the next call when one that waits for anything but its client yields its turn', async () => {
    const hub = new TestHub({ limits: { parallelInvocations: 2 } });
    const work = gate();
    let done = 0;
    const wait = async (): Promise<void> => {
      await work.opened;
      done++;
    };
    hub.method(hubMethod('Yield', []), (yielding) => {
      yielding.yieldTurn();
      yielding.yieldTurn();
      return wait();
    });
    hub.method(hubMethod('Work', []), wait);
    const { transport } = hub.connect();
    transport.deliverRecords(...Array.from({ length: 10 }, () => call('Yield')), invocation('1', 'Missing'));
    expect([transport.paused, transport.records()]).toEqual([false, [expect.objectContaining({ invocationId: '1' })]]);
    transport.deliverRecords(call('Work'), call('Work'), call('Work'));
    expect(transport.paused).toBe(true);
    work.open();
    await turn();
    await turn();
    expect([done, transport.paused]).toEqual([13, false]);
  });

  it('stops reading, answers included, when too many calls wait while the client owes an answer', async () => {
    const hub = new TestHub({ limits: { parallelInvocations: 1 } });
    const work = gate();
    let done = 0;
    hub.method(hubMethod('Work', []), async () => {
      await work.opened;
      done++;
    });
    const { transport, connection } = hub.connect();
    const answer = connection.invoke(question, ['?']);
    transport.deliverRecords(...Array.from({ length: 1 + MAXIMUM_WAITING_CALLS }, () => call('Work')));
    // So many calls are read in several turns.
    await eventually(() => !transport.paused);
    transport.deliverRecords(...Array.from({ length: 10 }, () => call('Work')), { type: 3, invocationId: 's1', result: 'here' });
    for (let turns = 0; turns < 10; turns++) await turn();
    expect([transport.paused, transport.ended]).toEqual([true, undefined]);
    work.open();
    expect(await answer).toBe('here');
    await eventually(() => done === 1 + MAXIMUM_WAITING_CALLS + 10);
    await eventually(() => !transport.paused);
  });

  describe('that wait while the client owes an answer', () => {
    const MESSAGE = 1_000;

    /** A hub whose only turn is taken by each of its clients. `flood` sends large calls until the socket is paused, and returns their number. */
    function busy(sharedHeldSize = Infinity): { work: ReturnType<typeof gate>; flood: () => Promise<number> } {
      const hub = new TestHub({ limits: { parallelInvocations: 1, maximumMessageSize: MESSAGE, sharedHeldSize } });
      const work = gate();
      hub.method(hubMethod('Work', [text]), () => work.opened);
      return {
        work,
        flood: async () => {
          const { transport, connection } = hub.connect();
          connection.invoke(question, ['?']).catch(() => undefined);
          transport.deliverRecords(call('Work', ''));
          let sent = 0;
          for (; !transport.paused && sent < 100; sent++) {
            transport.deliverRecords(call('Work', 'x'.repeat(MESSAGE - 100)));
            await turn();
          }
          return sent;
        },
      };
    }

    it('have a limited number of bytes', async () => {
      expect(await busy().flood()).toBe(5);
    });

    it('have fewer bytes of each client once those of all have too many', async () => {
      const { flood } = busy(8 * MESSAGE);
      expect([await flood(), await flood(), await flood(), await flood()]).toEqual([5, 4, 2, 2]);
    });

    it('give their room to other clients when they begin, or when their client leaves', async () => {
      const hub = new TestHub({ limits: { parallelInvocations: 1, maximumMessageSize: MESSAGE, sharedHeldSize: 4 * MESSAGE } });
      const works = [gate(), gate()];
      hub.method(hubMethod('Work', [number, text]), ({ args }) => works[args[0]].opened);
      const clients = [0, 1].map((index) => {
        const { transport, connection } = hub.connect();
        connection.invoke(question, ['?']).catch(() => undefined);
        transport.deliverRecords(call('Work', index, ''));
        return transport;
      });
      const fill = async (index: number): Promise<void> => {
        while (!clients[index].paused) {
          clients[index].deliverRecords(call('Work', index, 'x'.repeat(MESSAGE - 100)));
          await turn();
        }
      };
      await fill(0);
      await fill(1);
      works[0].open();
      await eventually(() => !clients[0].paused);
      hub.pass(1);
      expect(clients[1].paused).toBe(false);
      await fill(1);
      clients[1].lose();
      const { transport, connection } = hub.connect();
      connection.invoke(question, ['?']).catch(() => undefined);
      transport.deliverRecords(call('Work', 1, ''), call('Work', 1, 'x'.repeat(MESSAGE - 100)), call('Work', 1, 'x'.repeat(MESSAGE - 100)));
      expect(transport.paused).toBe(false);
    });
  });

  it('answers a call with an error when its result cannot be encoded', () => {
    const hub = new TestHub();
    hub.method(hubMethod('Big', [], any), () => 2n ** 60n);
    const { transport } = hub.connect();
    transport.deliverRecords(invocation('1', 'Big'));
    expect(transport.records()).toEqual([
      { type: 3, invocationId: '1', error: "An unexpected error occurred invoking 'Big' on the server." },
    ]);
    expect(hub.errors).toEqual(["'Big' of hub /hub: A whole number beyond 53 bits goes over JSON as bigint only."]);
  });

  it('tells the caller the text of an unexpected error when detailedErrors is set', () => {
    const hub = new TestHub({ detailedErrors: true });
    hub.method(hubMethod('Fail', []), () => {
      throw new RangeError('too far');
    });
    const { transport } = hub.connect();
    transport.deliverRecords(invocation('1', 'Fail'));
    expect(transport.records()).toEqual([
      { type: 3, invocationId: '1', error: "An unexpected error occurred invoking 'Fail' on the server. RangeError: too far" },
    ]);
  });

  it('aborts the signal of a call when the client cancels it or disconnects', () => {
    const hub = new TestHub();
    const signals: AbortSignal[] = [];
    hub.method(hubMethod('Work', []), ({ signal }: Invocation) => {
      signals.push(signal);
      return new Promise(() => undefined);
    });
    const { transport } = hub.connect();
    transport.deliverRecords(call('Work'), invocation('1', 'Work'), invocation('2', 'Work'));
    transport.deliverRecords({ type: 5, invocationId: '1' }, { type: 5, invocationId: 'unknown' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true, false]);
    transport.lose();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  });

  it('lets a client use the id of a call again whose work asks for its signal when the call is done', async () => {
    const hub = new TestHub();
    const calls: Invocation[] = [];
    hub.method(hubMethod('Begin', []), (begun) => void calls.push(begun));
    const { transport } = hub.connect();
    transport.deliverRecords(invocation('1', 'Begin'));
    expect(calls[0].signal.aborted).toBe(false);
    transport.deliverRecords(invocation('1', 'Begin'));
    expect(transport.records()).toEqual([
      { type: 3, invocationId: '1', result: null },
      { type: 3, invocationId: '1', result: null },
    ]);
    transport.lose();
    expect(calls[0].signal.aborted).toBe(false);
    await turn();
  });

  it('answers a call with an error when it throws what has no text', async () => {
    const hub = new TestHub();
    hub.method(hubMethod('Break', []), () => {
      throw Object.create(null);
    });
    const { transport } = hub.connect();
    transport.deliverRecords(invocation('1', 'Break'));
    await turn();
    expect(transport.records()).toEqual([
      { type: 3, invocationId: '1', error: "An unexpected error occurred invoking 'Break' on the server." },
    ]);
  });

  it('logs an error that is its own cause, of a client that has left', async () => {
    const hub = new TestHub();
    const work = gate();
    hub.method(hubMethod('Circle', []), async () => {
      await work.opened;
      const error = new Error('round and round');
      throw Object.assign(error, { cause: error });
    });
    const { transport } = hub.connect();
    transport.deliverRecords(invocation('1', 'Circle'));
    transport.lose();
    work.open();
    await turn();
    expect(hub.errors).toEqual(["'Circle' of hub /hub: round and round"]);
  });

  it('refuses a second method whose name differs only in case', () => {
    const hub = new TestHub();
    hub.method(hubMethod('Work', []), () => undefined);
    expect(() => hub.method(hubMethod('WORK', []), () => undefined)).toThrow("Hub /hub has a method 'WORK' already.");
  });
});
