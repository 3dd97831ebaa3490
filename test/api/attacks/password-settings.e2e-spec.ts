import { describe, expect, it } from 'vitest';

import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { ApiAnswer } from '../../support/application/api-client.js';
import { detailOf, wrongFieldsOf } from '../../support/callers/callers.js';
import { enrol, ReportingDevice } from '../../support/devices/reporting-device.js';
import { createTenant, createUser } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

/*
 * A caller that may set passwords does so as fast as it can: each costs some 30 ms of a processor on purpose. Reports of devices,
 * whose signatures are verified at the same time, and the passwords of other tenants must not wait for them; what is too much is refused.
 */

const USERS = '/api/v1/users';
const PASSWORD = 'Correct horse 1';
/** Number of calls above those that the processors of any test machine take at once, with those that wait for a place. */
const CALLS_UNDER_WAY = 60;
/** Passwords that may be set while one report is accepted. One after the other, they are three or four. */
const MOST_BEFORE_A_REPORT = 25;

const server = testServer().withRealSignIns();
const tenant = testTenant(server);

const create = (tenantId: string, email = `user-${newGuid()}@example.org`, password = PASSWORD): Promise<ApiAnswer> =>
  server.client().post(USERS, { query: { tenantId }, body: { userName: email, email, password } });

/** Sets passwords of users of the tenant until it is stopped, so many at a time. */
class Flood {
  set = 0;
  readonly refusals: ApiAnswer[] = [];
  private isOver = false;
  private readonly callers: Promise<void>[];
  readonly begun: Promise<void>;

  constructor(userId: string, of: string) {
    let begin: () => void;
    this.begun = new Promise((resolve) => (begin = resolve));
    this.callers = Array.from({ length: CALLS_UNDER_WAY }, async () => {
      while (!this.isOver) {
        const answer = await server.client().post(`${USERS}/${userId}/reset-password`, { query: { tenantId: of } });
        if (answer.status === 200) this.set += 1;
        else this.refusals.push(answer);
        if (this.set > 0) begin();
      }
    });
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.callers);
  }
}

describe('a flood of passwords', () => {
  it('lets reports of devices and other tenants pass, and is told to slow down', async () => {
    const other = await createTenant(server);
    const device = await ReportingDevice.register(server.url, await enrol(server.client()));
    await device.connect(server.url);
    const flood = new Flood((await createUser(server, { tenantId: tenant.id })).id, tenant.id);
    try {
      await flood.begun;
      const before = flood.set;
      await device.reportAs('under load');
      expect(flood.set - before).toBeLessThan(MOST_BEFORE_A_REPORT);
      expect((await create(other.id)).status).toBe(201);
    } finally {
      await flood.stop();
      await device.disconnect();
    }
    expect(new Set(flood.refusals.map(({ status }) => status))).toEqual(new Set([503]));
    const [refusal] = flood.refusals;
    expect(refusal.headers.get('retry-after')).toBe('1');
    expect(detailOf(refusal)).toBe('Too many passwords of one source are under way. Try again in a second.');
  });

  it('does not keep a wrong request from its answer: nothing is computed for it', async () => {
    const user = await createUser(server, { tenantId: tenant.id, email: 'taken@example.org' });
    const flood = new Flood(user.id, tenant.id);
    try {
      await flood.begun;
      const taken = await create(tenant.id, user.userName);
      expect([taken.status, wrongFieldsOf(taken)]).toEqual([400, ['email']]);
      const common = await create(tenant.id, undefined, 'Password1');
      expect([common.status, wrongFieldsOf(common)]).toEqual([400, ['password']]);
      const unknown = await server.client().post(`${USERS}/${newGuid()}/reset-password`, { query: { tenantId: tenant.id } });
      expect(unknown.status).toBe(404);
    } finally {
      await flood.stop();
    }
  });
});
