import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { question, TestHub } from '../test-hub.fixture.js';

describe('calls of a client method that wait for an answer', () => {
  it.each([
    ['an error', { error: 'No idea.' }, 'No idea.'],
    ['a value that does not fit', { result: 5 }, 'expected text'],
  ])('rejects when the client answers %s', async (_case, completion, message) => {
    const { transport, connection } = new TestHub().connect();
    const answer = connection.invoke(question, ['?']);
    expect(transport.records()).toEqual([{ type: 1, invocationId: 's1', target: 'Question', arguments: ['?'] }]);
    transport.deliverRecords({ type: 3, invocationId: 's1', ...completion });
    await expect(answer).rejects.toThrow(message);
  });

  it('waits for any time', async () => {
    const hub = new TestHub({ limits: { clientResultTimeoutMs: Infinity } });
    const { transport, connection } = hub.connect();
    const answers = Promise.all([connection.invoke(question, ['?']), connection.invoke(question, ['?'], { timeoutMs: 2 ** 31 })]);
    const failed = answers.then(
      () => undefined,
      (error: unknown) => error,
    );
    // A timer that is too long would be one of a millisecond, and fire before this one.
    expect(await Promise.race([failed, delay(5)])).toBeUndefined();
    transport.deliverRecords({ type: 3, invocationId: 's1', result: 'a' }, { type: 3, invocationId: 's2', result: 'b' });
    expect(await answers).toEqual(['a', 'b']);
  });

  it('ignores an answer that no call waits for', async () => {
    const { transport, connection } = new TestHub().connect();
    const answer = connection.invoke(question, ['?']);
    transport.deliverRecords({ type: 3, invocationId: 's99', result: 'x' }, { type: 3, invocationId: 's1', result: 'y' });
    transport.deliverRecords({ type: 3, invocationId: 's1', result: 'z' });
    expect(await answer).toBe('y');
    expect(transport.ended).toBeUndefined();
  });

  it('stops waiting when its signal is aborted', async () => {
    const { connection } = new TestHub().connect();
    const controller = new AbortController();
    const answer = connection.invoke(question, ['?'], { signal: controller.signal });
    controller.abort(new Error('changed my mind'));
    await expect(answer).rejects.toThrow('changed my mind');
    await expect(connection.invoke(question, ['?'], { signal: controller.signal })).rejects.toThrow('changed my mind');
  });
});
