import { describe, expect, it } from 'vitest';

import { missingIn, placeOf } from './missing.js';
import { isAboutScript } from './problem.js';

describe('a refusal', () => {
  it('names the missing permission, which need not be that of the operation', () => {
    expect(missingIn({ detail: 'The permission tenant.permissions.deny is required.' }, 'tenant.permissions.write')).toBe(
      'tenant.permissions.deny',
    );
    expect(missingIn({ detail: 'It holds device.file-system.transfer-upload, which you do not hold to the same extent.' }, null)).toBe(
      'device.file-system.transfer-upload',
    );
  });

  it('names no permission for a refusal with another reason', () => {
    for (const detail of ['The tenant that the request names is not yours.', 'Confirm that it is you first: with your password.'])
      expect(missingIn({ detail }, 'device.read')).toBeNull();
  });

  it("takes a refusal without words for a lack of the operation's permission", () => {
    expect(missingIn({}, 'device.read')).toBe('device.read');
  });

  it('names the object of the request in a refusal', () => {
    expect(placeOf('device.read', { deviceId: '1', userGroupId: '2' })).toBe('Device:1');
    expect(placeOf('user-group.assign-users', { userGroupId: '2' })).toBe('UserGroup:2');
    expect(placeOf('device-group.assign-devices', { deviceGroupId: '3' })).toBe('DeviceGroup:3');
    expect([placeOf('device.read', {}), placeOf('tenant.users.write', { deviceId: '1' })]).toEqual([null, null]);
  });
});

it.each([
  ['Failed to fetch dynamically imported module: https://example.org/assets/a.js', true],
  ['error loading dynamically imported module: https://example.org/assets/a.js', true],
  ['Importing a module script failed.', true],
  ['Failed to fetch', false],
  ['NetworkError when attempting to fetch resource.', false],
  ['Load failed', false],
])('tells whether "%s" is about a script', (message, isAbout) => {
  expect(isAboutScript(message)).toBe(isAbout);
});
