import { encode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import { hubMethod } from './method-descriptor.js';
import { TestHub } from '../test-hub.fixture.js';
import { text } from '../wire-type.js';

const say = hubMethod('Say', [text]);

describe('a call with headers that ASP.NET Core does not take', () => {
  it.each([
    ['json', 'null', null],
    ['json', 'a text', 'a'],
    ['json', 'a value that is no text', { a: 1 }],
    ['messagepack', 'nil', null],
    ['messagepack', 'an array', ['a']],
    ['messagepack', 'a value that is no text', { a: 1 }],
  ])('ends the connection over %s: %s', (protocol, _case, headers) => {
    const hub = new TestHub();
    const said: string[] = [];
    hub.method(say, ({ args }) => void said.push(args[0]));
    const { transport } = protocol === 'json' ? hub.connect() : hub.connectInMessagePack();
    if (protocol === 'json') transport.deliverRecords({ type: 1, target: 'Say', arguments: ['hello'], headers });
    else {
      const message = encode([1, headers, null, 'Say', ['hello'], []]);
      transport.deliverBytes(Buffer.concat([Buffer.from([message.length]), message]));
    }
    expect(said).toEqual([]);
    expect(transport.ended).toBe('gracefully');
    expect(transport.sent.join('')).toMatch(/Expected (header 'a'|'headers') to be of type/);
  });
});
