import { describe, expect, it } from 'vitest';
import { findAccount } from './account.js';

const PASSWD = ['root:x:0:0:root:/root:/bin/bash', 'postgres:x:101:104:,,,:/var/lib/postgresql:/bin/bash', 'broken line', ''].join('\n');

describe('findAccount', () => {
  it('finds an account by its name and by its uid', () => {
    const postgres = { name: 'postgres', uid: 101, gid: 104 };
    expect(findAccount(PASSWD, 'postgres')).toEqual(postgres);
    expect(findAccount(PASSWD, 101)).toEqual(postgres);
  });

  it('is undefined when there is no such account', () => {
    expect(findAccount(PASSWD, 'nobody')).toBeUndefined();
    expect(findAccount(PASSWD, 12_345)).toBeUndefined();
    expect(findAccount(PASSWD, 'broken line')).toBeUndefined();
  });
});
