import { describe, expect, it } from 'vitest';

import { externalAddress, externalUserName } from './external-user-name.js';

it('the name of an external user is the unchanged id after a prefix', () => {
  expect(externalUserName(' auth0|5f7c é ')).toBe('ext- auth0|5f7c é ');
});

describe('the address of an external user', () => {
  it.each([
    ['ext-a.b-c_d+e1', 'ext-a.b-c_d+e1@local'],
    ['ext-auth0|5f7c', 'ext-auth0%7C5f7c@local'],
    ['ext-ann@example.org', 'ext-ann%40example.org@local'],
    ['ext-https://idp/ann?x=1#y', 'ext-https%3A%2F%2Fidp%2Fann%3Fx%3D1%23y@local'],
    ['ext-100%', 'ext-100%25@local'],
    ['ext-é😀', 'ext-%C3%A9%F0%9F%98%80@local'],
    ['ext-a..b.', 'ext-a%2E.b%2E@local'],
    [`ext-"(a),b';c\\d`, 'ext-%22%28a%29%2Cb%27%3Bc%5Cd@local'],
  ])('holds %s as %s', (userName, address) => {
    expect(externalAddress(userName, 'local')).toBe(address);
  });

  it('differs when the user names differ', () => {
    expect(externalAddress('ext-a%40b', 'local')).not.toBe(externalAddress('ext-a@b', 'local'));
  });

  it('is null when it would be too long', () => {
    expect(externalAddress('x'.repeat(250), 'local')).toBe(`${'x'.repeat(250)}@local`);
    expect(externalAddress('x'.repeat(251), 'local')).toBeNull();
    expect(externalAddress('😀'.repeat(200), 'local')).toBeNull();
  });
});
