import pg from 'pg';
import { DataSource } from 'typeorm';

import type { TenantServiceAccountPrincipal } from '../../src/access/authentication/principals/principal.js';
import { AuthorizationService } from '../../src/access/authorization/evaluation/authorization.service.js';
import { evaluate } from '../../src/access/authorization/evaluation/evaluator.js';
import type { DeviceResource } from '../../src/access/authorization/evaluation/rules.js';
import { RulesRepository } from '../../src/access/authorization/evaluation/rules.repository.js';
import { Permission } from '../../src/access/authorization/permissions/permission.js';
import { ProcessExit } from '../../src/platform/common/runtime/process-exit.js';
import { dataSourceOptions } from '../../src/platform/database/connection/data-source.js';
import { InvalidationBus } from '../../src/platform/database/invalidation/invalidation-bus.js';
import { FirstListeningConnection } from '../../src/platform/database/invalidation/listening-connection.js';
import { ServiceLock } from '../../src/platform/database/locks/service-lock.js';
import { deviceIdOf, type Database, type Fleet } from '../harness/database.js';
import { percentile } from '../harness/rounds.js';
import { serveCalls } from '../harness/serve-calls.js';

/*
 * The authorization of the service with its database. The baseline is the smallest possible check: two look-ups in
 * memory.
 */

interface Start {
  readonly database: Database;
  readonly fleet: Fleet;
}

interface Checks {
  /** The number of devices; checks are spread evenly over them. */
  readonly devices: number;
  readonly asked: number;
  readonly checks: number;
}

/** Microseconds of one check. */
export interface CheckTimes {
  readonly p50: number;
  readonly p99: number;
}

/** The checked permission. It differs from that of lists, so the further rules do not affect lists. */
const ASKED = Permission.DeviceTerminalUse;
/** Rules of the account besides those of its tenant, as they accumulate over years. */
const FURTHER_RULES = 200;
const MICROSECONDS = 1000;

/** The service that is measured may run at the same time. */
class NoLock extends ServiceLock {
  constructor() {
    super({ nodes: { nats: [] } });
  }

  override take(): Promise<void> {
    return Promise.resolve();
  }
}

class Stage {
  private constructor(
    readonly dataSource: DataSource,
    readonly bus: InvalidationBus,
    readonly authorization: AuthorizationService,
    readonly client: pg.Client,
    readonly principal: TenantServiceAccountPrincipal,
  ) {}

  static async open({ database, fleet: { tenantId } }: Start): Promise<Stage> {
    const dataSource = await new DataSource(dataSourceOptions(database, [])).initialize();
    const connection = { config: database, description: 'bench' };
    const lock = new NoLock();
    const bus = new InvalidationBus(connection, await FirstListeningConnection.open(connection, lock), lock, new ProcessExit());
    const authorization = new AuthorizationService(new RulesRepository(dataSource), bus);
    await bus.onApplicationBootstrap();
    const client = new pg.Client(database);
    await client.connect();
    const { rows } = await client.query<{ id: string }>(`SELECT id FROM service_accounts WHERE tenant_id = $1`, [tenantId]);
    const [{ id }] = rows;
    await client.query(
      `INSERT INTO permission_assignments (id, principal_kind, principal_id, permission_name, effect, scope_kind, scope_id, owning_tenant_id)
       SELECT gen_random_uuid(), 'ServiceAccount', $1, $4, CASE WHEN n % 2 = 0 THEN 'Allow' ELSE 'Deny' END, 'Device', d.id, $2
       FROM (SELECT id, row_number() OVER (ORDER BY id DESC) AS n FROM devices WHERE tenant_id = $2 ORDER BY id DESC LIMIT $3) d`,
      [id, tenantId, FURTHER_RULES, ASKED.name],
    );
    return new Stage(dataSource, bus, authorization, client, {
      type: 'TenantServiceAccount',
      id,
      tenantId,
      name: 'Bench',
      credentialId: id,
    });
  }
}

let stage: Stage | undefined;

function current(): Stage {
  if (stage === undefined) throw new Error('Nothing was started.');
  return stage;
}

const calls = {
  async start(argument: Start): Promise<void> {
    stage = await Stage.open(argument);
  },

  /** The check before an access to a device: reads the device and what contains it, then evaluates the rules. */
  async check(argument: Checks): Promise<CheckTimes> {
    const { authorization, principal } = current();
    return timed(argument, async (id) => {
      const device = await authorization.device(id);
      return device !== null && (await authorization.isAllowed(principal, ASKED, device));
    });
  },

  /** The baseline: one look-up by a single key. */
  async lookUp(argument: Checks): Promise<CheckTimes> {
    const { principal } = current();
    const tenants = new Map(askedIds(argument).map((id) => [id, Promise.resolve(principal.tenantId)]));
    const allowed = new Set([`${ASKED.name}:${principal.tenantId}`]);
    return timed(argument, async (id) => {
      const tenantId = await tenants.get(id);
      return tenantId !== undefined && allowed.has(`${ASKED.name}:${tenantId}`);
    });
  },

  /** Returns the milliseconds that it takes to select the reachable ones of `count` devices. */
  async filter(count: number): Promise<number> {
    const { authorization, principal } = current();
    const devices = Array.from({ length: count }, (_, index): DeviceResource => {
      return { kind: 'Device', id: deviceIdOf(index), tenantId: principal.tenantId, customerId: null, deviceGroupIds: [] };
    });
    const started = performance.now();
    const rules = await authorization.rulesOf(principal);
    const reached = devices.filter((device) => evaluate(principal, rules, ASKED, device).allowed);
    const milliseconds = performance.now() - started;
    if (reached.length !== count - FURTHER_RULES / 2) throw new Error(`${reached.length} of ${count} devices may be reached.`);
    return milliseconds;
  },

  /** Denies and grants a device `count` times. Returns the number of changes that the next check did not see. */
  async changes(count: number): Promise<number> {
    const { authorization, bus, client, principal } = current();
    const device = await authorization.device(deviceIdOf(0));
    if (device === null) throw new Error('There is no device.');
    const check = (): Promise<boolean> => authorization.isAllowed(principal, ASKED, device);
    let unseen = 0;
    for (let change = 0; change < count; change += 1) {
      for (const effect of ['Deny', 'Allow'] as const) {
        await client.query(`DELETE FROM permission_assignments WHERE principal_id = $1 AND scope_id = $2`, [principal.id, device.id]);
        await client.query(
          `INSERT INTO permission_assignments (id, principal_kind, principal_id, permission_name, effect, scope_kind, scope_id, owning_tenant_id)
           VALUES (gen_random_uuid(), 'ServiceAccount', $1, $5, $2, 'Device', $3, $4)`,
          [principal.id, effect, device.id, principal.tenantId, ASKED.name],
        );
        // As a transaction of the service does after its commit.
        bus.forget([`ServiceAccount:${principal.id}`]);
        if ((await check()) !== (effect === 'Allow')) unseen += 1;
      }
    }
    return unseen;
  },
};

export type PermissionCheckCalls = typeof calls;
serveCalls(calls);

function askedIds({ devices, asked }: Checks): string[] {
  const step = Math.floor(devices / asked);
  // Some devices with odd numbers are denied.
  if (step % 2 !== 0) throw new Error('The numbers of the devices that are asked about must be even.');
  return Array.from({ length: asked }, (_, index) => deviceIdOf(index * step));
}

async function timed(argument: Checks, check: (id: string) => Promise<boolean>): Promise<CheckTimes> {
  const ids = askedIds(argument);
  for (const id of ids) if (!(await check(id))) throw new Error(`The account may not reach ${id}.`);
  const times = new Float64Array(argument.checks);
  for (let at = 0; at < times.length; at += 1) {
    const started = performance.now();
    await check(ids[at % ids.length]);
    times[at] = (performance.now() - started) * MICROSECONDS;
  }
  times.sort();
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}
