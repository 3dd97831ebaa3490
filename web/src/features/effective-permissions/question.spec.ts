import { describe, expect, it } from 'vitest';

import { principalOf, scopeOf } from './question.js';

describe('the question in the address', () => {
  it('reads a principal by kind and id, in any case', () => {
    expect(principalOf('User:1')).toEqual({ kind: 'User', id: '1' });
    expect(principalOf('usergroup:2')).toEqual({ kind: 'UserGroup', id: '2' });
  });

  it('reads no principal of an unknown kind or without an id', () => {
    for (const who of [undefined, '', 'User', 'User:', 'Robot:1', ':1']) expect(principalOf(who)).toBeNull();
  });

  it('reads a scope, that of the server without an id', () => {
    expect(scopeOf('device:1')).toEqual({ kind: 'Device', id: '1' });
    expect(scopeOf('Server')).toEqual({ kind: 'Server', id: null });
    expect(scopeOf('Device')).toBeNull();
  });
});
