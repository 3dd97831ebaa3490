import { describe, expect, it } from 'vitest';
import { clientMethod, hubMethod, stream } from './method-descriptor.js';
import { iterableOf, refused, TestHub, turn } from '../test-hub.fixture.js';
import { any, bigint, integer, number, type WireType } from '../wire-type.js';

const LARGE = 9_223_372_036_854_775_807n;
const tell = clientMethod('Tell', [bigint]);
const ask = clientMethod('Ask', [], bigint);

/** A call as text, because a number would round the argument. */
const call = (argument: string): string => `{"type":1,"invocationId":"1","target":"Take","arguments":[${argument}]}\x1e`;

describe('whole numbers of more than 53 bits over JSON', () => {
  it('reach a method and its caller with all their digits where they are declared', () => {
    const hub = new TestHub();
    const taken: unknown[] = [];
    hub.method(hubMethod('Take', [bigint], bigint), ({ args }) => {
      taken.push(args[0]);
      return args[0];
    });
    const { transport } = hub.connect();
    transport.deliver(call(String(LARGE)));
    expect(taken).toEqual([LARGE]);
    expect(transport.sent).toEqual([`{"type":3,"invocationId":"1","result":${LARGE}}\x1e`]);
  });

  it('are sent to a client, and read in its answers and streams', async () => {
    const hub = new TestHub();
    const items: unknown[] = [];
    hub.method(hubMethod('Collect', [stream(bigint)]), async ({ args }) => {
      for await (const item of iterableOf(args[0])) items.push(item);
    });
    const { transport, connection } = hub.connect();
    connection.send(tell, [LARGE]);
    expect(transport.sent).toEqual([`{"type":1,"target":"Tell","arguments":[${LARGE}]}\x1e`]);
    const answer = connection.invoke(ask, []);
    transport.deliver(`{"type":3,"invocationId":"s1","result":-${LARGE}}\x1e`);
    expect(await answer).toBe(-LARGE);
    transport.deliverRecords({ type: 1, target: 'Collect', arguments: [], streamIds: ['2'] });
    transport.deliver(`{"type":2,"invocationId":"2","item":${LARGE}}\x1e{"type":3,"invocationId":"2"}\x1e`);
    await turn();
    expect(items).toEqual([LARGE]);
  });

  it.each<[string, WireType<unknown>, string, string]>([
    ['number', number, '9007199254740993', 'expected number and no whole number of more than 53 bits, which takes the type bigint'],
    ['integer', integer, '9007199254740993', 'expected a whole number of at most 53 bits and no whole number of more than 53 bits'],
    ['any', any, '9007199254740993', 'expected no whole number of more than 53 bits, which takes the type bigint'],
    ['any', any, '{"deep":[{"inside":-9007199254740993}]}', 'expected no whole number of more than 53 bits'],
    ['bigint', bigint, '9223372036854775808', 'expected a whole number of 64 bits'],
  ])('are refused as %s', (_name, type, argument, reason) => {
    const hub = new TestHub();
    const taken: unknown[] = [];
    hub.method(hubMethod('Take', [type]), ({ args }) => void taken.push(args[0]));
    const { transport } = hub.connect();
    transport.deliver(call(argument));
    expect(taken).toEqual([]);
    expect(transport.records()).toMatchObject([{ error: expect.stringContaining(refused('Take', 'Argument 0')) as string }]);
    expect(transport.sent.join('')).toContain(reason);
  });

  it('are not confused with numbers that have a fraction or an exponent', () => {
    const hub = new TestHub();
    const taken: unknown[] = [];
    hub.method(hubMethod('Take', [number]), ({ args }) => void taken.push(args[0]));
    const { transport } = hub.connect();
    for (const argument of ['1e300', '9007199254740993.5', '9007199254740991']) transport.deliver(call(argument));
    expect(taken).toEqual([1e300, 9_007_199_254_740_994, 9_007_199_254_740_991]);
  });
});
