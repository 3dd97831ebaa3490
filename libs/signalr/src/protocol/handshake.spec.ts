import { describe, expect, it } from 'vitest';
import { handshakeResponse, MAXIMUM_HANDSHAKE_SIZE, parseHandshake } from './handshake.js';

describe('parseHandshake', () => {
  it.each([
    ['{"protocol":"json","version":1}', { protocol: 'json', version: 1 }],
    ['{"version":2,"protocol":"messagepack","extra":true}', { protocol: 'messagepack', version: 2 }],
  ])('reads %s and leaves the bytes that follow', (json, request) => {
    expect(parseHandshake(Buffer.from(`${json}\x1e{"type":6}\x1e`))).toEqual({ ...request, length: json.length + 1 });
  });

  it.each(['', '{"protocol":"json"', '{"protocol":"json","version":1}'])('waits for the rest of %j', (json) => {
    expect(parseHandshake(Buffer.from(json))).toBeUndefined();
  });

  it.each([
    ['\x1e', 'The handshake is no JSON.'],
    ['[]\x1e', 'The handshake is no JSON object.'],
    ['{"version":1}\x1e', "The handshake lacks 'protocol' of type String."],
    ['{"protocol":"json"}\x1e', "The handshake lacks 'version' of type Integer."],
    ['{"protocol":"json","version":1.5}\x1e', "The handshake lacks 'version' of type Integer."],
    ['{"protocol":"json","version":0}\x1e', "The server does not support version 0 of the 'json' protocol."],
    ['{"protocol":"json","version":3}\x1e', "The server does not support version 3 of the 'json' protocol."],
    ['x'.repeat(MAXIMUM_HANDSHAKE_SIZE + 1), `The handshake is larger than ${MAXIMUM_HANDSHAKE_SIZE} bytes.`],
  ])('refuses %j', (text, error) => {
    expect(() => parseHandshake(Buffer.from(text))).toThrow(expect.objectContaining({ name: 'ProtocolError', message: error }));
  });
});

describe('handshakeResponse', () => {
  it('is JSON, with an error if there is one', () => {
    expect(handshakeResponse()).toBe('{}\x1e');
    expect(handshakeResponse('No "x".')).toBe('{"error":"No \\"x\\"."}\x1e');
  });
});
