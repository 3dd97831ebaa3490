import { describe, expect, it } from 'vitest';

import { newRelaySession } from './relay-session.js';

const SERVICE = 'https://devices.example:8443';
const PUBLIC = 'https://public.example/base';

describe('newRelaySession', () => {
  it('gives both sides the same session and token, each with its role and the address by which it knows the service', () => {
    const { sessionId, requesterUri, responderUri } = newRelaySession(SERVICE, PUBLIC);
    const requester = new URL(requesterUri);
    const responder = new URL(responderUri);
    expect(requesterUri).toMatch(/^wss:\/\/devices\.example:8443\/relay\?/);
    expect(responderUri).toMatch(/^wss:\/\/public\.example\/relay\?/);
    for (const uri of [requester, responder]) {
      expect(uri.searchParams.get('sessionId')).toBe(sessionId);
      expect(uri.searchParams.get('timeout')).toBe('30');
    }
    expect(requester.searchParams.get('role')).toBe('requester');
    expect(responder.searchParams.get('role')).toBe('responder');
    expect(responder.searchParams.get('accessToken')).toBe(requester.searchParams.get('accessToken'));
  });

  it('writes 64 random bytes as base64url without padding', () => {
    const token = new URL(newRelaySession(SERVICE, PUBLIC).requesterUri).searchParams.get('accessToken') ?? '';
    expect(token).toMatch(/^[\w-]{86}$/);
    expect(newRelaySession(SERVICE, PUBLIC).requesterUri).not.toContain(token);
  });

  it('names another session each time', () => {
    expect(newRelaySession(SERVICE, PUBLIC).sessionId).not.toBe(newRelaySession(SERVICE, PUBLIC).sessionId);
  });

  it('does not encrypt the relay if the page is not encrypted', () => {
    expect(newRelaySession('http://localhost:8080', 'http://localhost:8080').responderUri).toMatch(/^ws:\/\/localhost:8080\/relay\?/);
  });
});
