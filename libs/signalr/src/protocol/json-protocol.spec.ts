import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { holdsBigInt, parseExactly } from './exact-json.js';
import { jsonProtocol } from './json-protocol.js';
import { namedMessages } from './messages.fixture.js';
import { type HubMessage, MessageType, ProtocolError } from './messages.js';

const LIMIT = 10_000;
/** The same in every run, so that a failure can be repeated. */
const SEED = 20_262;

function parse(text: string, limit = LIMIT): { messages: HubMessage[]; used: number } {
  const messages: HubMessage[] = [];
  const used = jsonProtocol.parse(Buffer.from(text), limit, { isHeld: false, accept: (message) => messages.push(message) });
  return { messages, used };
}

describe('JSON hub protocol', () => {
  it.each(namedMessages)('writes $name', ({ message, json }) => {
    expect(jsonProtocol.write(message)).toBe(`${json}\x1e`);
  });

  it.each(namedMessages)('reads $name', ({ message, json }) => {
    const text = `${json}\x1e`;
    expect(parse(text)).toEqual({ messages: [message], used: text.length });
  });

  it('reads all complete records of a frame, and leaves the start of the next one', () => {
    const whole = namedMessages.map(({ json }) => `${json}\x1e`).join('');
    const { messages, used } = parse(`${whole}{"type":6`);
    expect(messages).toEqual(namedMessages.map(({ message }) => message));
    expect(used).toBe(Buffer.byteLength(whole));
  });

  it.each([
    ['{"arguments":[1],"target":"T","type":1,"invocationId":"1"}', { type: 1, invocationId: '1', target: 'T', arguments: [1] }],
    ['{"item":{"type":9},"invocationId":"1","type":2}', { type: 2, invocationId: '1', item: { type: 9 } }],
    ['{"result":1,"invocationId":"1","type":3}', { type: 3, invocationId: '1', hasResult: true, result: 1 }],
    ['{"error":null,"result":1,"type":3,"invocationId":"1"}', { type: 3, invocationId: '1', hasResult: true, result: 1 }],
    ['{"type":3,"invocationId":"1","error":"No.","result":null}', { type: 3, invocationId: '1', error: 'No.', hasResult: false }],
    ['{"headers":{"a":"b"},"extra":0,"type":6}', { type: 6 }],
    ['{"headers":{"a":"b"},"type":1,"target":"T","arguments":[]}', { type: 1, target: 'T', arguments: [], headers: { a: 'b' } }],
    ['{"headers":{},"type":1,"target":"T","arguments":[]}', { type: 1, target: 'T', arguments: [] }],
    ['{"type":1,"target":"T","arguments":[],"streamIds":[]}', { type: 1, target: 'T', arguments: [] }],
    ['{"type":1,"target":"T","arguments":[],"invocationId":null,"streamIds":null}', { type: 1, target: 'T', arguments: [] }],
  ])('reads %s: members in any order, with extra ones ignored', (json, message) => {
    expect(parse(`${json}\x1e`).messages).toEqual([message]);
  });

  it('skips messages of unknown types', () => {
    expect(parse('{"type":10}\x1e{"type":6}\x1e').messages).toEqual([{ type: MessageType.Ping }]);
  });

  it.each([
    ['', 'The message is no JSON.'],
    ['{', 'The message is no JSON.'],
    ['null', 'The message is no JSON object.'],
    ['[1]', 'The message is no JSON object.'],
    ['"text"', 'The message is no JSON object.'],
    ['{}', "Expected 'type' to be of type Integer."],
    ['{"type":"1"}', "Expected 'type' to be of type Integer."],
    ['{"type":1.5}', "Expected 'type' to be of type Integer."],
    ['{"type":1,"arguments":[]}', "Expected 'target' to be of type String."],
    ['{"type":1,"target":5,"arguments":[]}', "Expected 'target' to be of type String."],
    ['{"type":1,"target":"T"}', "Expected 'arguments' to be of type Array."],
    ['{"type":1,"target":"T","arguments":{}}', "Expected 'arguments' to be of type Array."],
    ['{"type":1,"target":"T","arguments":[],"invocationId":1}', "Expected 'invocationId' to be of type String."],
    ['{"type":1,"target":"T","arguments":[],"streamIds":"1"}', "Expected 'streamIds' to be of type Array."],
    ['{"type":1,"target":"T","arguments":[],"streamIds":[1]}', "Expected 'streamIds' to be of type String."],
    ['{"type":4,"target":"T","arguments":[]}', "Expected 'invocationId' to be of type String."],
    ['{"type":2,"invocationId":"1"}', "Missing required property 'item'."],
    ['{"type":2,"item":1}', "Expected 'invocationId' to be of type String."],
    ['{"type":3}', "Expected 'invocationId' to be of type String."],
    ['{"type":3,"invocationId":"1","error":5}', "Expected 'error' to be of type String."],
    ['{"type":3,"invocationId":"1","error":"No.","result":1}', "The 'error' and 'result' properties are mutually exclusive."],
    ['{"type":5}', "Expected 'invocationId' to be of type String."],
    ['{"type":7,"error":5}', "Expected 'error' to be of type String."],
    ['{"type":1,"target":"T","arguments":[],"headers":null}', "Expected 'headers' to be of type Object."],
    ['{"type":1,"target":"T","arguments":[],"headers":"a"}', "Expected 'headers' to be of type Object."],
    ['{"type":4,"invocationId":"1","target":"T","arguments":[],"headers":["a"]}', "Expected 'headers' to be of type Object."],
    ['{"type":1,"target":"T","arguments":[],"headers":{"a":"b","c":1}}', "Expected header 'c' to be of type String."],
    ['{"type":1,"target":"T","arguments":[],"headers":{"a":null}}', "Expected header 'a' to be of type String."],
    ['{"type":2,"invocationId":"1","item":1,"headers":1}', "Expected 'headers' to be of type Object."],
    ['{"type":3,"invocationId":"1","headers":{"a":{}}}', "Expected header 'a' to be of type String."],
    ['{"type":6,"headers":[]}', "Expected 'headers' to be of type Object."],
    ['{"type":8,"sequenceId":"1"}', "Expected 'sequenceId' to be of type Integer."],
  ])('refuses %s', (json, error) => {
    expect(() => parse(`${json}\x1e`)).toThrow(expect.objectContaining({ name: 'ProtocolError', message: error }));
  });

  it.each([
    ['is complete', `"${'x'.repeat(20)}"\x1e`],
    ['is not complete yet', 'x'.repeat(21)],
    ['follows a good one', `{"type":6}\x1e${'x'.repeat(21)}`],
  ])('refuses a message that is too large and %s', (_case, text) => {
    expect(() => parse(text, 20)).toThrow(new ProtocolError('The maximum message size of 20 bytes was exceeded.'));
  });

  it('reads back its own output, for any values without large whole numbers', () => {
    const values = fc.array(fc.jsonValue()).filter((json) => !holdsBigInt(parseExactly(JSON.stringify(json))));
    fc.assert(
      fc.property(fc.string(), values, fc.option(fc.string(), { nil: undefined }), (target, args, invocationId) => {
        const message: HubMessage = { type: MessageType.Invocation, invocationId, target, arguments: args };
        const { messages } = parse(String(jsonProtocol.write(message)), Infinity);
        expect(JSON.stringify(messages)).toBe(JSON.stringify([message]));
      }),
      { seed: SEED },
    );
  });

  it('writes a completion as JSON.stringify does, for any text', () => {
    // The signs that JSON escapes, those beside them, and halves of surrogate pairs.
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom('"', '\\', '/', ' ', '!', '~', '\x1e', '\x1f', '\x7f', '\ud800', '\udfff', 'ä'), fc.string()),
    });
    fc.assert(
      fc.property(text, text, (invocationId, result) => {
        const completion = { type: MessageType.Completion, invocationId } as const;
        expect(jsonProtocol.write({ ...completion, hasResult: true, result })).toBe(`${JSON.stringify({ ...completion, result })}\x1e`);
      }),
      { seed: SEED },
    );
  });

  it('throws only ProtocolError, for any bytes', () => {
    const tokens = fc.constantFrom('{', '}', '[', ']', '"type"', ':', ',', '1', '3', '"', '\x1e', 'null', '"invocationId"', '\\u', ' ');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.array(tokens).map((parts) => Buffer.from(parts.join(''))),
        ),
        (data) => {
          try {
            jsonProtocol.parse(Buffer.from(data), 100, { isHeld: false, accept: () => undefined });
          } catch (error) {
            expect(error).toBeInstanceOf(ProtocolError);
          }
        },
      ),
      { seed: SEED, numRuns: 2_000 },
    );
  });
});
