import { describe, expect, it } from 'vitest';

import { DesktopSession } from '#libs/contracts';

import type { Principal, UserCredential } from '../../access/authentication/principals/principal.js';
import { visibleDesktopSessions } from './desktop-sessions.js';

const DEVICE = '11111111-2222-4333-8444-555555555555';
const OTHER_DEVICE = '11111111-2222-4333-8444-666666666666';
const sessions = [1, 2, 3].map((systemSessionId) => DesktopSession.decode({ systemSessionId }, 'json'));

function user(credential: UserCredential): Principal {
  return { type: 'User', id: 'u', tenantId: 't', name: 'user', credential, mustChangePassword: false };
}

function logonToken(allowedDesktopSessionIds: readonly number[] | null): Principal {
  return user({
    type: 'LogonToken',
    id: 'l',
    sessionId: 's',
    deviceId: DEVICE,
    allowedDesktopSessionIds,
    userCorrelationId: null,
    sessionCorrelationId: null,
    maker: null,
  });
}

const seen = (principal: Principal, deviceId = DEVICE): number[] =>
  visibleDesktopSessions(principal, deviceId, sessions).map(({ systemSessionId }) => systemSessionId);

describe('visibleDesktopSessions', () => {
  it.each<[string, Principal]>([
    ['a browser session', user({ type: 'Session', id: 's', provenAt: 0 })],
    ['a personal access token', user({ type: 'PersonalAccessToken', id: 'p', mode: 'Restricted' })],
    ['a service account', { type: 'TenantServiceAccount', id: 's', tenantId: 't', name: 's', credentialId: 'c' }],
  ])('shows everything to %s', (_, principal) => {
    expect(seen(principal)).toEqual([1, 2, 3]);
  });

  it('shows a logon token all sessions of its device, or those that it lists', () => {
    expect(seen(logonToken(null))).toEqual([1, 2, 3]);
    expect(seen(logonToken([3, 1, 9]))).toEqual([1, 3]);
    expect(seen(logonToken([]))).toEqual([]);
  });

  it('shows a logon token nothing of another device', () => {
    expect(seen(logonToken(null), OTHER_DEVICE)).toEqual([]);
    expect(seen(logonToken([1]), OTHER_DEVICE)).toEqual([]);
  });
});
