import { beforeAll, describe, expect, it } from 'vitest';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import type { CreateInstallerKeyResponseDto } from '../../../src/devices/installer-keys/installer-key.dto.js';
import type { CreatePersonalAccessTokenResponseDto } from '../../../src/people/personal-access-tokens/personal-access-token.dto.js';
import type {
  CreateServiceAccountCredentialResponseDto,
  ServerServiceAccountDto,
} from '../../../src/people/service-accounts/service-account.dto.js';
import { User } from '../../../src/people/users/user.entity.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import { InvalidationBus } from '../../../src/platform/database/invalidation/invalidation-bus.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { ApiAnswer, ApiClient } from '../../support/application/api-client.js';
import { detailOf, wrongFieldsOf } from '../../support/callers/callers.js';
import { at, createTenant, createUser, grant, holder } from '../../support/fixtures/factories.js';
import { testServer } from '../../support/setup/test-server.js';
import { broadRights, createCaller, giveRights } from './callers.js';

/*
 * The states of credentials, row by row: which step leads from which state to which. A row brings a new object into a
 * state by calls of the API and by the clock, takes the step, and checks the result.
 */

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
const LIFETIME = HOUR;
/** A route that only requires authentication. */
const PROBE = '/api/v1/user-server-settings/file-upload-max-size';

const server = testServer({ Service_AppOptions__ServiceAccountAuthFailureLimit: '0' });
let root: ApiClient;
let tenant: Tenant;

beforeAll(async () => {
  root = server.client();
  tenant = await createTenant(server);
  // Time passes only in the rows of the table, however long the machine takes.
  server.clock.stop();
});

const fromNow = (milliseconds: number): string => new Date(server.clock.milliseconds() + milliseconds).toISOString();

describe.each([
  ['the server', (): string => '/api/v1/server-service-accounts', { accessMode: 'Restricted' }],
  ['a tenant', (): string => `/api/v1/tenant-service-accounts/${tenant.id}`, {}],
] as const)('a credential of a service account of %s', (_owner, base, more) => {
  /** An account with a credential, and the steps that can be taken on both. */
  class Subject {
    private constructor(
      private readonly account: string,
      private readonly name: string,
      readonly credentialId: string,
      private readonly key: string,
    ) {}

    static async create(expiresAt: string | null): Promise<Subject> {
      const name = newGuid();
      const { id } = (await root.post(base(), { body: { name, ...more } })).as<ServerServiceAccountDto>();
      // A Restricted account without assignments is refused everything, as if it could not authenticate.
      await grant(server, { principal: holder.serviceAccount({ id }), permission: Permission.ServerTenantsRead, scope: at.server });
      const account = `${base()}/${id}`;
      const made = (
        await root.post(`${account}/credentials`, { body: { name: 'Key', expiresAt } })
      ).as<CreateServiceAccountCredentialResponseDto>();
      return new Subject(account, name, made.credential.id, made.plainTextSecretKey);
    }

    async authenticates(): Promise<boolean> {
      const { status } = await server.client({ 'x-api-key': this.key }).get(PROBE);
      expect([200, 401]).toContain(status);
      return status === 200;
    }

    /** Returns the credential's state in the list, or that it is missing. */
    async listed(): Promise<string> {
      const answer = await root.get(this.account);
      if (answer.status === 404) return 'no account';
      const found = answer.as<ServerServiceAccountDto>().credentials.find(({ id }) => id === this.credentialId);
      if (found === undefined) return 'purged';
      if (found.revokedAt !== null) return 'revoked';
      const isExpired = found.expiresAt !== null && new Date(found.expiresAt).getTime() <= server.clock.milliseconds();
      return isExpired ? 'expired' : 'active';
    }

    revoke = (): Promise<ApiAnswer> => root.delete(`${this.account}/credentials/${this.credentialId}`);
    purge = (): Promise<ApiAnswer> => root.delete(`${this.account}/credentials/${this.credentialId}/purge`);
    add = (body: object): Promise<ApiAnswer> => root.post(`${this.account}/credentials`, { body });
    deleteAccount = (): Promise<ApiAnswer> => root.delete(this.account);
    enable = (isEnabled: boolean): Promise<ApiAnswer> => root.put(this.account, { body: { name: this.name, isEnabled } });
    expire = (): Promise<void> => Promise.resolve(server.clock.advance(LIFETIME));
  }

  type Step = (subject: Subject) => Promise<ApiAnswer | void>;
  const revoke: Step = (subject) => subject.revoke();
  const purge: Step = (subject) => subject.purge();
  const expire: Step = (subject) => subject.expire();
  const disable: Step = (subject) => subject.enable(false);
  const enable: Step = (subject) => subject.enable(true);
  const deleteAccount: Step = (subject) => subject.deleteAccount();

  it.each<[string, readonly Step[], Step, number, string, boolean]>([
    // Steps before, the step, status, state after it, whether the credential authenticates then.
    ['active: purge', [], purge, 400, 'active', true],
    ['active: revoke', [], revoke, 204, 'revoked', false],
    ['revoked: revoke again', [revoke], revoke, 204, 'revoked', false],
    ['revoked: purge', [revoke], purge, 204, 'purged', false],
    ['expired: purge', [expire], purge, 204, 'purged', false],
    ['expired: revoke', [expire], revoke, 204, 'revoked', false],
    ['revoked and expired: purge', [revoke, expire], purge, 204, 'purged', false],
    ['purged: purge again', [revoke, purge], purge, 404, 'purged', false],
    ['purged: revoke', [revoke, purge], revoke, 404, 'purged', false],
    ['active: disable the account', [], disable, 200, 'active', false],
    ['disabled: enable the account', [disable], enable, 200, 'active', true],
    ['revoked: enable the account', [revoke, disable], enable, 200, 'revoked', false],
    ['expired: enable the account', [disable, expire], enable, 200, 'expired', false],
    ['disabled: revoke', [disable], revoke, 204, 'revoked', false],
    ['disabled: purge', [disable], purge, 400, 'active', false],
    ['active: delete the account', [], deleteAccount, 204, 'no account', false],
    ['no account: revoke', [deleteAccount], revoke, 404, 'no account', false],
    ['no account: purge', [revoke, deleteAccount], purge, 404, 'no account', false],
    ['no account: delete again', [deleteAccount], deleteAccount, 404, 'no account', false],
  ])('%s', async (_row, way, step, status, state, authenticates) => {
    const subject = await Subject.create(fromNow(LIFETIME));
    expect(await subject.authenticates()).toBe(true);
    for (const one of way) await one(subject);
    expect((await step(subject))?.status).toBe(status);
    expect([await subject.listed(), await subject.authenticates()]).toEqual([state, authenticates]);
  });

  it('active: time passes', async () => {
    const [subject, lasting] = [await Subject.create(fromNow(LIFETIME)), await Subject.create(null)];
    server.clock.advance(LIFETIME - 10 * SECOND);
    expect([await subject.listed(), await subject.authenticates()]).toEqual(['active', true]);
    server.clock.advance(10 * SECOND);
    expect([await subject.listed(), await subject.authenticates()]).toEqual(['expired', false]);
    server.clock.advance(365 * DAY);
    expect([await lasting.listed(), await lasting.authenticates()]).toEqual(['active', true]);
  });

  it('none: creating one for an enabled account, a disabled one, an unknown one, and with a past expiry', async () => {
    const subject = await Subject.create(null);
    expect((await subject.add({ name: 'Another', expiresAt: fromNow(HOUR) })).status).toBe(200);
    for (const expiresAt of [fromNow(-SECOND), fromNow(-365 * DAY)]) {
      const over = await subject.add({ name: 'Over', expiresAt });
      expect([over.status, wrongFieldsOf(over)]).toEqual([400, ['expiresAt']]);
    }
    await subject.enable(false);
    expect((await subject.add({ name: 'Disabled' })).status).toBe(403);
    await subject.deleteAccount();
    expect((await subject.add({ name: 'None' })).status).toBe(404);
  });

  it('keeps the time of the first revocation, and answers why it cannot be purged', async () => {
    const subject = await Subject.create(null);
    expect(detailOf(await subject.purge())).toBe('Only revoked or expired credentials can be deleted. Revoke the credential first.');
    const revokedAt = async (): Promise<unknown> =>
      (await server.dataSource.query('SELECT revoked_at FROM service_account_credentials WHERE id = $1', [subject.credentialId]))[0]
        .revoked_at;
    await subject.revoke();
    const first = await revokedAt();
    server.clock.advance(HOUR);
    await subject.revoke();
    expect(first).not.toBeNull();
    expect(await revokedAt()).toEqual(first);
  });
});

describe('a personal access token', () => {
  interface Owned {
    readonly user: User;
    readonly tokenId: string;
    readonly key: string;
  }

  const query = (): { tenantId: string } => ({ tenantId: tenant.id });

  async function create(): Promise<Owned> {
    const user = await createUser(server, { tenantId: tenant.id });
    const path = `/api/v1/users/${user.id}/personal-access-tokens`;
    const body = { name: 'Token', expiresAt: fromNow(LIFETIME) };
    const made = (await root.post(path, { query: query(), body })).as<CreatePersonalAccessTokenResponseDto>();
    return { user, tokenId: made.personalAccessToken.id, key: made.plainTextToken };
  }

  /** Written directly to the database, because only sign-ins lock users out. */
  async function lockOut({ user }: Owned): Promise<void> {
    await server.dataSource.manager.update(User, { id: user.id }, { lockoutEnd: new Date(server.clock.milliseconds() + HOUR / 2) });
    server.app.get(InvalidationBus).forgetAll();
  }

  type Step = (owned: Owned) => Promise<unknown>;
  const pass =
    (milliseconds: number): Step =>
    () =>
      Promise.resolve(server.clock.advance(milliseconds));
  const remove: Step = ({ user, tokenId }) => root.delete(`/api/v1/users/${user.id}/personal-access-tokens/${tokenId}`, { query: query() });
  const rename: Step = ({ user, tokenId }) =>
    root.put(`/api/v1/users/${user.id}/personal-access-tokens/${tokenId}`, { query: query(), body: { name: 'Renamed' } });
  const removeOwner: Step = ({ user }) => root.delete(`/api/v1/users/${user.id}`, { query: query() });
  const resetPassword: Step = ({ user }) => root.post(`/api/v1/users/${user.id}/reset-password`, { query: query() });

  it.each<[string, readonly Step[], number]>([
    ['new', [], 200],
    ['renamed', [rename], 200],
    ['until it expires', [pass(LIFETIME - 10 * SECOND)], 200],
    ['once it expired', [pass(LIFETIME)], 401],
    ['deleted', [remove], 401],
    ['its user is locked out', [lockOut], 401],
    ['its user was locked out', [lockOut, pass(HOUR / 2)], 200],
    ['its user is deleted', [removeOwner], 401],
    ['its user has to change the password first', [resetPassword], 403],
  ])('%s', async (_state, steps, status) => {
    const owned = await create();
    const client = server.client({ 'x-personal-token': owned.key });
    expect((await client.get(PROBE)).status).toBe(200);
    for (const step of steps) await step(owned);
    expect((await client.get(PROBE)).status).toBe(status);
  });
});

describe('an installer key', () => {
  type Key = Pick<CreateInstallerKeyResponseDto, 'id' | 'keySecret'>;
  type Step = (key: Key) => Promise<unknown>;

  const register = ({ id, keySecret }: Key): Promise<ApiAnswer> =>
    server
      .client({})
      .post('/api/agent/devices', { body: { device: { id: newGuid() }, installerKeyId: id, installerKeySecret: keySecret } });
  const pass =
    (milliseconds: number): Step =>
    () =>
      Promise.resolve(server.clock.advance(milliseconds));
  const onKey =
    (call: (path: string) => Promise<ApiAnswer>): Step =>
    ({ id }) =>
      call(`/api/v1/installer-keys/${id}`);
  const query = (): { tenantId: string } => ({ tenantId: tenant.id });
  const rename = onKey((path) => root.put(path, { query: query(), body: { friendlyName: 'Renamed' } }));
  const remove = onKey((path) => root.delete(path, { query: query() }));
  const guess: Step = (key) => register({ ...key, keySecret: 'guessed' });

  const usageBased = (allowedUses: number | null): object => ({ keyType: 'UsageBased', allowedUses });
  const timeBased = (): object => ({ keyType: 'TimeBased', expiration: fromNow(LIFETIME) });
  const persistent = (): object => ({ keyType: 'Persistent' });

  it.each<[string, () => object, readonly Step[], number]>([
    ['UsageBased, unused', () => usageBased(1), [], 200],
    ['UsageBased, with its last use', () => usageBased(2), [register], 200],
    ['UsageBased, used up', () => usageBased(1), [register], 400],
    ['UsageBased, used up and shown again', () => usageBased(1), [register, register], 400],
    ['UsageBased, after wrong secrets', () => usageBased(1), [guess, guess], 200],
    ['UsageBased without a number, used', () => usageBased(null), [register, register], 200],
    ['UsageBased, before its day is over', () => usageBased(1), [pass(DAY - 10 * SECOND)], 200],
    ['UsageBased, after its day', () => usageBased(1), [pass(DAY + SECOND)], 400],
    ['UsageBased without a number, after its day', () => usageBased(null), [pass(DAY + SECOND)], 400],
    ['TimeBased, used often', timeBased, [register, register, register], 200],
    ['TimeBased, before its end', timeBased, [pass(LIFETIME - 10 * SECOND)], 200],
    ['TimeBased, after its end', timeBased, [pass(LIFETIME + SECOND)], 400],
    ['Persistent, used, a year later', persistent, [register, pass(365 * DAY)], 200],
    ['renamed', persistent, [rename], 200],
    ['deleted', persistent, [remove], 400],
    ['deleted after use', () => usageBased(2), [register, remove], 400],
  ])('%s', async (_state, asked, steps, status) => {
    const made = (
      await root.post('/api/v1/installer-keys', { body: { tenantId: tenant.id, ...asked() } })
    ).as<CreateInstallerKeyResponseDto>();
    for (const step of steps) await step(made);
    expect((await register(made)).status).toBe(status);
  });
});

describe('a service account', () => {
  it('keeps its access mode, whatever is sent', async () => {
    const made = await root.post('/api/v1/server-service-accounts', { body: { name: newGuid(), accessMode: 'Restricted' } });
    const { id, name } = made.as<ServerServiceAccountDto>();
    const body = { name, isEnabled: true, accessMode: 'Unrestricted' };
    const changed = await root.put(`/api/v1/server-service-accounts/${id}`, { body });
    expect(changed.as<ServerServiceAccountDto>()).toMatchObject({ id, accessMode: 'Restricted', isEnabled: true });
  });

  it.each([
    ['without a row', [], 403],
    ['with one row', [Permission.DeviceRead], 200],
  ])('that is Restricted and %s: every call answers alike', async (_rows, permissions, status) => {
    const caller = await createCaller(server, tenant, 'restricted server account');
    await giveRights(server, broadRights(caller, permissions, tenant));
    for (const path of [PROBE, '/api/v1/devices', '/api/v1/devices/summary']) expect((await caller.client.get(path)).status).toBe(status);
  });
});
