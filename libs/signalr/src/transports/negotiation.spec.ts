import { describe, expect, it } from 'vitest';
import { negotiateBody, parseNegotiationQuery } from './negotiation.js';
import { TRANSPORTS } from './transport.js';

const WEB_SOCKETS = { transport: 'WebSockets', transferFormats: ['Text', 'Binary'] };
const EVENTS = { transport: 'ServerSentEvents', transferFormats: ['Text'] };
const POLLING = { transport: 'LongPolling', transferFormats: ['Text', 'Binary'] };

describe('the query of a negotiate request', () => {
  it.each([
    ['', 0],
    ['negotiateVersion=0', 0],
    ['a=b&negotiateVersion=1', 1],
    ['negotiateVersion=2', 1],
    ['negotiateVersion=-1', 0],
    ['negotiateVersion=x', 0],
  ])('%j asks for version %i', (query, version) => {
    expect(parseNegotiationQuery(query).version).toBe(version);
  });

  it.each([
    ['', false],
    ['useStatefulReconnect=true', true],
    ['negotiateVersion=1&useStatefulReconnect=True', true],
    ['useStatefulReconnect=false', false],
    ['useStatefulReconnect=', false],
  ])('%j asks for stateful reconnect: %s', (query, wantsToStay) => {
    expect(parseNegotiationQuery(query).wantsToStay).toBe(wantsToStay);
  });
});

describe('the answer to a negotiate request', () => {
  const negotiated = { connectionId: 'id', token: 'token' };

  it('has a token beside the id from version 1 on', () => {
    const offer = { transports: TRANSPORTS, stays: false };
    expect(JSON.parse(negotiateBody(1, negotiated, offer))).toEqual({
      negotiateVersion: 1,
      connectionId: 'id',
      connectionToken: 'token',
      availableTransports: [WEB_SOCKETS, EVENTS, POLLING],
    });
    expect(JSON.parse(negotiateBody(0, negotiated, offer))).toEqual({
      negotiateVersion: 0,
      connectionId: 'id',
      availableTransports: [WEB_SOCKETS, EVENTS, POLLING],
    });
  });

  it('names the transports of the hub only, and stateful reconnect if there is any', () => {
    expect(JSON.parse(negotiateBody(1, negotiated, { transports: ['LongPolling'], stays: true }))).toEqual({
      useStatefulReconnect: true,
      negotiateVersion: 1,
      connectionId: 'id',
      connectionToken: 'token',
      availableTransports: [POLLING],
    });
  });
});
