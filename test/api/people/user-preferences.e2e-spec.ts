import { describe, expect, it } from 'vitest';

import { PersonalAccessTokenPermissionMode } from '../../../src/people/personal-access-tokens/personal-access-token.entity.js';
import { ServiceAccountAccessMode } from '../../../src/people/service-accounts/service-account.entity.js';
import type { UserPreferenceResponseDto, UserPreferencesDto } from '../../../src/people/user-preferences/user-preference.dto.js';
import { MAXIMUM_USER_PREFERENCES } from '../../../src/people/user-preferences/user-preferences.service.js';
import type { User } from '../../../src/people/users/user.entity.js';
import type { ApiClient } from '../../support/application/api-client.js';
import { duringDeletionOf } from '../../support/fixtures/deletion.js';
import { createPersonalAccessToken, createServiceAccountWithKey, createUser } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const PATH = '/api/v1/user-preferences';
const DEFAULTS = {
  autoQualityLowerThresholdMbps: 5,
  autoQualityMaximum: 80,
  autoQualityMinimum: 20,
  autoQualityUpperThresholdMbps: 15,
  captureCursor: false,
  encodingFormat: 'Jpeg',
  enableDirectX: true,
  hideOfflineDevices: true,
  showOnlyUntaggedDevices: false,
  showOnlyUngroupedDevices: false,
  isAutoQualityEnabled: false,
  isMaxBandwidthEnabled: false,
  keyboardInputMode: 'Auto',
  manualQuality: 75,
  maxBandwidthMbps: 15,
  notifyUserOnSessionStart: true,
  openDeviceInNewTab: true,
  themeMode: 'Dark',
  userDisplayName: '',
  viewMode: 'Fit',
};
const OTHERS = {
  autoQualityLowerThresholdMbps: 0.1,
  autoQualityMaximum: 100,
  autoQualityMinimum: 1,
  autoQualityUpperThresholdMbps: 22.5,
  captureCursor: true,
  encodingFormat: 'WebP',
  enableDirectX: false,
  hideOfflineDevices: false,
  showOnlyUntaggedDevices: true,
  showOnlyUngroupedDevices: true,
  isAutoQualityEnabled: true,
  isMaxBandwidthEnabled: true,
  keyboardInputMode: 'Virtual',
  manualQuality: 1,
  maxBandwidthMbps: 1000,
  notifyUserOnSessionStart: false,
  openDeviceInNewTab: false,
  themeMode: 'Light',
  userDisplayName: 'Zoë Müller-2_b',
  viewMode: 'Scale',
};

describe('user preferences', () => {
  const server = testServer();
  const tenant = testTenant(server);

  const inTenant = (rest: object = {}) => ({ query: { tenantId: tenant.id }, ...rest });
  const set = (client: ApiClient, name: unknown, value: unknown) => client.post(PATH, inTenant({ body: { name, value } }));
  const put = (client: ApiClient, body: object) => client.put(PATH, inTenant({ body }));

  async function signedIn(user?: User): Promise<{ readonly client: ApiClient; readonly user: User }> {
    const known = user ?? (await createUser(server, { tenantId: tenant.id }));
    const { key } = await createPersonalAccessToken(server, known, { permissionMode: PersonalAccessTokenPermissionMode.InheritOwner });
    return { client: server.client({ 'x-personal-token': key }), user: known };
  }

  it('have their defaults, while a single one answers 204', async () => {
    const { client } = await signedIn();
    expect((await client.get(PATH, inTenant())).as()).toEqual(DEFAULTS);
    expect((await client.get(`${PATH}/theme-mode`, inTenant())).status).toBe(204);
  });

  it('are changed together, and read one by one', async () => {
    const { client } = await signedIn();
    expect((await put(client, OTHERS)).as()).toEqual(OTHERS);
    expect((await client.get(PATH, inTenant())).as()).toEqual(OTHERS);
    const one = (await client.get(`${PATH}/encoding-format`, inTenant())).as<UserPreferenceResponseDto>();
    expect(one).toEqual({ id: expect.any(String), name: 'encoding-format', value: 'WebP' });
    expect((await client.get(`${PATH}/auto-quality-upper-threshold-mbps`, inTenant())).as()).toMatchObject({ value: '22.5' });
  });

  it('stay when they are omitted, and return to their default for null; a blank name clears one', async () => {
    const { client } = await signedIn();
    await put(client, OTHERS);
    expect((await put(client, { themeMode: 'Auto', viewMode: null, userDisplayName: '  ' })).as()).toEqual({
      ...OTHERS,
      themeMode: 'Auto',
      viewMode: DEFAULTS.viewMode,
      userDisplayName: '',
    });
    expect((await client.get(`${PATH}/view-mode`, inTenant())).status).toBe(204);
    expect((await client.get(`${PATH}/user-display-name`, inTenant())).status).toBe(204);
  });

  it('accept enumerations in any case and by number', async () => {
    const { client } = await signedIn();
    expect((await put(client, { encodingFormat: 'png', keyboardInputMode: 1, THEMEMODE: 'light' })).as<UserPreferencesDto>()).toEqual({
      ...DEFAULTS,
      encodingFormat: 'Png',
      keyboardInputMode: 'Physical',
      themeMode: 'Light',
    });
  });

  it.each([
    ['auto-quality-lower-threshold-mbps', '7.25', '7.25', 'autoQualityLowerThresholdMbps', 7.25],
    ['manual-quality', ' 50 ', '50', 'manualQuality', 50],
    ['view-mode', 'stretch', 'Stretch', 'viewMode', 'Stretch'],
    ['hide-offline-devices', 'FALSE', 'false', 'hideOfflineDevices', false],
    ['user-display-name', ' Ann Müller ', 'Ann Müller', 'userDisplayName', 'Ann Müller'],
    ['user-display-name', 'नमस्ते', 'नमस्ते', 'userDisplayName', 'नमस्ते'],
  ])('keep %s of %j', async (name, given, kept, field, value) => {
    const { client } = await signedIn();
    const created = (await set(client, name, given)).as<UserPreferenceResponseDto>();
    expect(created).toEqual({ id: expect.any(String), name, value: kept });
    expect((await client.get(PATH, inTenant())).as()).toEqual({ ...DEFAULTS, [field]: value });
    expect((await set(client, name, '')).as()).toEqual({ id: null, name, value: null });
    expect((await client.get(PATH, inTenant())).as()).toEqual(DEFAULTS);
  });

  it.each([
    ['auto-quality-maximum', '1'],
    ['auto-quality-maximum', '101'],
    ['auto-quality-minimum', '0'],
    ['auto-quality-minimum', '100'],
    ['manual-quality', '7.5'],
    ['max-bandwidth-mbps', '0.09'],
    ['max-bandwidth-mbps', '1,5'],
    ['theme-mode', 'Blue'],
    ['capture-cursor', 'on'],
    ['user-display-name', 'x'.repeat(51)],
    ['user-display-name', '<b>'],
    ['own', 'x'.repeat(101)],
  ])('refuse %s of %j', async (name, value) => {
    const { client } = await signedIn();
    const answer = await set(client, name, value);
    expect(answer.status).toBe(400);
    expect(answer.body).toHaveProperty(['errors', 'value']);
    expect((await client.get(`${PATH}/${name}`, inTenant())).status).toBe(204);
  });

  it.each([
    ['manualQuality', 0],
    ['manualQuality', 'high'],
    ['autoQualityUpperThresholdMbps', 0],
    ['viewMode', 'Wide'],
    ['captureCursor', 'on'],
    ['userDisplayName', 'a<b'],
    ['userDisplayName', 'x'.repeat(51)],
  ])('refuse a whole with %s of %j, and keep what was there', async (field, value) => {
    const { client } = await signedIn();
    await put(client, OTHERS);
    const answer = await put(client, { ...OTHERS, captureCursor: false, [field]: value });
    expect(answer.status).toBe(400);
    expect(answer.body).toHaveProperty(['errors', field]);
    expect((await client.get(PATH, inTenant())).as()).toEqual(OTHERS);
  });

  it('store unknown names', async () => {
    const { client } = await signedIn();
    expect((await set(client, 'panel-width', ' 320px ')).as()).toMatchObject({ value: '320px' });
    expect((await client.get(`${PATH}/panel-width`, inTenant())).as()).toMatchObject({ value: '320px' });
    expect((await client.get(`${PATH}/panel_width`, inTenant())).status).toBe(400);
  });

  it('belong to the caller alone, whatever credential it uses, and are deleted with it', async () => {
    const [ann, bob] = [await signedIn(), await signedIn()];
    await set(ann.client, 'theme-mode', 'Light');
    expect((await bob.client.get(`${PATH}/theme-mode`, inTenant())).status).toBe(204);
    const again = await signedIn(ann.user);
    expect((await again.client.get(`${PATH}/theme-mode`, inTenant())).as()).toMatchObject({ value: 'Light' });
    await server.dataSource.query('DELETE FROM users WHERE id = $1', [ann.user.id]);
    expect(await server.dataSource.query('SELECT 1 FROM user_preferences WHERE principal_id = $1', [ann.user.id])).toEqual([]);
  });

  it('belong to service accounts too', async () => {
    const { key: tenantKey } = await createServiceAccountWithKey(server, { tenantId: tenant.id });
    const { key: serverKey } = await createServiceAccountWithKey(server, { accessMode: ServiceAccountAccessMode.Unrestricted });
    for (const key of [tenantKey, serverKey]) {
      const client = server.client({ 'x-api-key': key });
      expect((await set(client, 'theme-mode', 'Light')).status).toBe(200);
      expect((await client.get(PATH, inTenant())).as()).toEqual({ ...DEFAULTS, themeMode: 'Light' });
    }
  });

  it('are limited in number', async () => {
    const { client, user } = await signedIn();
    await server.dataSource.query(
      `INSERT INTO user_preferences (id, principal_id, name, value) SELECT gen_random_uuid(), $1, 'n-' || i, 'v' FROM generate_series(2, $2::integer) AS i`,
      [user.id, MAXIMUM_USER_PREFERENCES],
    );
    const answers = await Promise.all(['one', 'two'].map((name) => set(client, name, 'x')));
    expect(answers.map(({ status }) => `${status}`).sort()).toEqual(['200', '400']);
    expect((await put(client, OTHERS)).status).toBe(400);
    expect((await set(client, 'n-2', '')).status).toBe(200);
    expect((await set(client, 'three', 'x')).status).toBe(200);
  });

  it('can be set by parallel callers without a failure', async () => {
    const { client, user } = await signedIn();
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, (_, i) => set(client, 'manual-quality', String(i + 1))),
      ...Array.from({ length: 4 }, () => put(client, OTHERS)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const names = await server.dataSource.query<{ name: string }[]>('SELECT name FROM user_preferences WHERE principal_id = $1', [user.id]);
    expect(names).toHaveLength(Object.keys(OTHERS).length);
  });

  it('leave nothing behind when their owner is deleted during a write', async () => {
    const { client, user } = await signedIn();
    const answer = await duringDeletionOf(server, user, () => set(client, 'theme-mode', 'Light'));
    expect(answer.status).toBe(401);
    expect(await server.dataSource.query('SELECT 1 FROM user_preferences WHERE principal_id = $1', [user.id])).toEqual([]);
  });

  describe('that are effective', () => {
    const EFFECTIVE = '/api/v1/effective-user-preferences';
    const SETTING = 'notify-user-on-session-start';

    it('are the tenant’s if it sets them, or else the caller’s, or else the default', async () => {
      const { client } = await signedIn();
      const effective = async () => (await client.get(EFFECTIVE, inTenant())).as();
      const decide = (value: string) => server.client().post('/api/v1/tenant-settings', inTenant({ body: { name: SETTING, value } }));
      expect(await effective()).toEqual({ notifyUserOnSessionStart: true, isNotifyUserOnSessionStartTenantEnforced: false });
      await set(client, SETTING, 'false');
      expect(await effective()).toEqual({ notifyUserOnSessionStart: false, isNotifyUserOnSessionStartTenantEnforced: false });
      await decide('true');
      expect(await effective()).toEqual({ notifyUserOnSessionStart: true, isNotifyUserOnSessionStartTenantEnforced: true });
      await decide('false');
      await set(client, SETTING, 'true');
      expect(await effective()).toEqual({ notifyUserOnSessionStart: false, isNotifyUserOnSessionStartTenantEnforced: true });
      await decide('');
      expect(await effective()).toEqual({ notifyUserOnSessionStart: true, isNotifyUserOnSessionStartTenantEnforced: false });
    });
  });
});
