import { describe, expect, it } from 'vitest';
import { accountFor } from './session-environment.js';

describe('the account of a program for a display', () => {
  const user = { uid: 1000, gid: 1001, name: 'anna', environment: {} };

  it('is that of its user, when root runs the agent', () => {
    expect(accountFor({ user }, 0)).toEqual({ uid: 1000, gid: 1001 });
  });

  it.each([
    ['the agent has it already', user, 1000],
    ['root is the user of the display', { ...user, uid: 0, gid: 0 }, 0],
    ['another account than root runs the agent', user, 1002],
    ['the display has no user', undefined, 0],
  ])('does not change when %s', (_when, whose, ownUid) => {
    expect(accountFor({ user: whose }, ownUid)).toBeUndefined();
  });
});
