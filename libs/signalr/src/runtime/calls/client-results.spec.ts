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
