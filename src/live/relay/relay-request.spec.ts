import { describe, expect, it } from 'vitest';

import { DEFAULT_WAIT_SECONDS, readRelayRequest, RelayRole } from './relay-request.js';

const SESSION = '0f0e0d0c-0b0a-4908-8706-050403020100';
const query = (more = ''): string => `sessionId=${SESSION}&accessToken=t-_0&role=requester${more}`;

describe('the query of a socket', () => {
  it('names session, token, role and wait', () => {
    expect(readRelayRequest(query('&timeout=30'))).toEqual({
      sessionId: SESSION,
      accessToken: 't-_0',
      role: RelayRole.Requester,
      timeoutSeconds: 30,
    });
  });

  it.each([
    ['', DEFAULT_WAIT_SECONDS],
    ['0', 0],
    [' 7 ', 7],
    ['+7', 7],
    ['-1', -1],
    ['2147483647', 2_147_483_647],
    ['2147483648', DEFAULT_WAIT_SECONDS],
    ['-2147483649', DEFAULT_WAIT_SECONDS],
    ['1.5', DEFAULT_WAIT_SECONDS],
    ['1e3', DEFAULT_WAIT_SECONDS],
    ['soon', DEFAULT_WAIT_SECONDS],
  ])('reads the wait %j as %d seconds', (text, seconds) => {
    expect(readRelayRequest(query(`&timeout=${encodeURIComponent(text)}`))).toMatchObject({ timeoutSeconds: seconds });
  });

  it.each([
    ['Responder', RelayRole.Responder],
    ['REQUESTER', RelayRole.Requester],
    ['0', RelayRole.Requester],
    ['1', RelayRole.Responder],
  ])('reads the role %s', (role, expected) => {
    expect(readRelayRequest(`SessionID=${SESSION.toUpperCase()}&ACCESSTOKEN=t&role=${role}`)).toMatchObject({
      sessionId: SESSION,
      role: expected,
    });
  });

  it.each(['', '2', 'constructor', 'toString', 'viewer'])('refuses the role %j', (role) => {
    expect(readRelayRequest(`sessionId=${SESSION}&accessToken=t&role=${role}`)).toEqual({
      invalid: 'role must be requester or responder.',
    });
  });

  it('takes the first value of a name that is given twice', () => {
    expect(readRelayRequest(query('&accessToken=other&role=responder'))).toMatchObject({ accessToken: 't-_0', role: RelayRole.Requester });
  });
});
