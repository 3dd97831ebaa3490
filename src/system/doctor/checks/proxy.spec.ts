import { describe, expect, it } from 'vitest';

import type { EchoAnswer } from '../echo/echo-answer.js';
import { CLAIMED_ADDRESS, forwardedFindings } from './proxy.js';

const PUBLIC = new URL('https://devices.example.org');
const SOUND: EchoAnswer = {
  proof: '',
  isProxyTrusted: true,
  forwardedFor: `${CLAIMED_ADDRESS}, 203.0.113.9`,
  forwardedProto: 'https',
  forwardedHost: 'devices.example.org:443',
  bytes: 0,
};

const kindsOf = (seen: Partial<EchoAnswer>, url = PUBLIC): unknown[] =>
  forwardedFindings(url, { ...SOUND, ...seen }).map(({ kind }) => kind);

describe('findings about the headers of a proxy', () => {
  it('are none for one that extends or replaces the header of its client', () => {
    expect(kindsOf({})).toEqual([]);
    expect(kindsOf({ forwardedFor: '203.0.113.9' })).toEqual([]);
    expect(kindsOf({ forwardedProto: null, forwardedHost: null })).toEqual([]);
  });

  it.each<[Partial<EchoAnswer>, string]>([
    [{ isProxyTrusted: false }, 'proxy-not-trusted'],
    [{ forwardedFor: null }, 'forwarded-for-missing'],
    [{ forwardedFor: CLAIMED_ADDRESS }, 'forwarded-for-forged'],
    [{ forwardedFor: `203.0.113.9, ${CLAIMED_ADDRESS}` }, 'forwarded-for-forged'],
    [{ forwardedProto: 'https, http' }, 'forwarded-address-wrong'],
    [{ forwardedHost: 'intranet.example.org' }, 'forwarded-address-wrong'],
  ])('%j is %s', (seen, kind) => {
    expect(kindsOf(seen)).toEqual([kind]);
  });

  it('say nothing of clients where the service itself may have been called', () => {
    const direct = { forwardedFor: CLAIMED_ADDRESS, forwardedProto: null, forwardedHost: null };
    expect(kindsOf(direct, new URL('http://localhost:8080'))).toEqual([]);
  });
});
