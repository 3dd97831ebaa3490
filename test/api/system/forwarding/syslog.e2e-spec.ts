import { hostname } from 'node:os';

import { Client } from 'pg';
import { afterAll, describe, expect, it } from 'vitest';

import { Forwarder, ForwarderLimits } from '../../../../src/system/forwarding/forwarder.js';
import { ForwardingRepository } from '../../../../src/system/forwarding/forwarding.repository.js';
import { TestApp } from '../../../support/application/app.js';
import { eventually } from '../../../support/eventually.js';
import { testServer, testTenant } from '../../../support/setup/test-server.js';
import { parseSyslog, SyslogReceiver, type SyslogManner } from '../../../support/stand-ins/syslog-receiver.js';
import { PATIENT_MS, writeChange } from './write-change.js';

interface Line {
  readonly id: string;
  readonly tenantId: string;
  readonly isShortened?: true;
  readonly entry: { readonly id: string; readonly afterJson: string | null };
}

const WAITING = `
  SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%e.number, e.written_at AS "writtenAt"%'`;

const failureOf = async (server: TestApp): Promise<string | null> => {
  const [standing] = await server.app.get(ForwardingRepository, { strict: false }).standing();
  return standing.failure;
};

describe('the receiver of syslog in tests', () => {
  it.each([
    ['<110>1 2026-11-27T10:05:00Z host app 1 id {}', 'no structured data'],
    ['<192>1 2026-11-27T10:05:00Z host app 1 id - {}', 'a priority beyond the largest'],
    ['<110>2 2026-11-27T10:05:00Z host app 1 id - {}', 'another version'],
    ['<110>1 2026-11-27 10:05:00 host app 1 id - {}', 'another form of time'],
    ['<110>1 2026-11-27T10:05:00Z host app 1 id - {"ü"}', 'text in UTF-8 without a byte order mark'],
  ])('refuses %s: %s', (message) => {
    expect(() => parseSyslog(message)).toThrow('No message of RFC 5424');
  });
});

describe('logs that are sent by syslog over TCP', async () => {
  const receiver = await SyslogReceiver.overTcp();
  const server = testServer({ Service_Forwarding__SyslogUrl: receiver.url });
  const tenant = testTenant(server);
  afterAll(() => receiver.stop());

  const comes = (id: string): Promise<void> =>
    eventually('the line comes', () => receiver.lines<Line>().some(({ entry }) => entry.id === id), PATIENT_MS);

  it('come as messages of RFC 5424 with their length', async () => {
    const after = JSON.stringify({ name: 'Zoë 張\n' });
    const id = await writeChange(server, tenant.id, { after });
    await comes(id);
    const [message] = receiver.messages.slice(-1);
    expect(message).toMatchObject({
      facility: 13,
      severity: 6,
      host: hostname(),
      app: 'device-management',
      processId: String(process.pid),
      messageId: 'ChangeLog',
    });
    expect(Math.abs(message.timestamp.getTime() - Date.now())).toBeLessThan(PATIENT_MS);
    expect(JSON.parse(message.text)).toMatchObject({ tenantId: tenant.id, entry: { id, afterJson: after } });
    expect(receiver.faults).toEqual([]);
  });

  it.each<SyslogManner>(['silent', 'closes', 'breaks'])('come again after a receiver of the manner "%s"', async (manner) => {
    Object.assign(server.app.get(ForwarderLimits, { strict: false }), { timeoutMs: 1_000 });
    receiver.manner = manner;
    const before = receiver.connections;
    const ids = [await writeChange(server, tenant.id), await writeChange(server, tenant.id)];
    await eventually('two attempts were made', () => receiver.connections >= before + 2, PATIENT_MS);
    await eventually('the failure is noted', async () => (await failureOf(server)) !== null, PATIENT_MS);
    receiver.manner = 'reads';
    Object.assign(server.app.get(ForwarderLimits, { strict: false }), { timeoutMs: 10_000 });
    for (const id of ids) await comes(id);
    await eventually('the failure is over', async () => (await failureOf(server)) === null, PATIENT_MS);
    const lines = receiver.lines<Line>();
    for (const id of ids) expect(new Set(lines.filter(({ entry }) => entry.id === id).map((line) => line.id)).size).toBe(1);
    expect(receiver.faults).toEqual([]);
  });

  it('come in order, and in one connection for many', async () => {
    const before = receiver.connections;
    await server.dataSource.query(
      `INSERT INTO authorization_change_logs (id, action_type, actor_principal_type, target_type, owning_tenant_id)
       SELECT gen_random_uuid(), 'many', 'user', 'Tag', $1 FROM generate_series(1, 400)`,
      [tenant.id],
    );
    const numbers = (): number[] =>
      receiver
        .lines<{ number: number; entry: { actionType: string } }>()
        .filter(({ entry }) => entry.actionType === 'many')
        .map(({ number }) => number);
    await eventually('all lines come', () => numbers().length >= 400, PATIENT_MS);
    expect(numbers()).toEqual([...numbers()].sort((a, b) => a - b));
    expect(receiver.connections - before).toBeLessThan(10);
  });
});

describe('a stop while rows are read for a receiver', () => {
  it('sends nothing any more, so that it does not wait for one that is silent', async () => {
    const receiver = await SyslogReceiver.overTcp();
    receiver.manner = 'silent';
    const server = await TestApp.start({ Service_Forwarding__SyslogUrl: receiver.url });
    const upgrade = new Client(server.database.connection);
    await upgrade.connect();
    try {
      // The statement that reads rows needs it, and those that write and count rows do not.
      await upgrade.query('BEGIN; LOCK TABLE change_log_links');
      await server.dataSource.query(`INSERT INTO forwarding_entries (id, log, data) VALUES (gen_random_uuid(), 'ChangeLog', '{}')`);
      await eventually('rows are read', async () => (await server.dataSource.query<unknown[]>(WAITING)).length > 0, PATIENT_MS);
      const forwarders = server.nodes.map(({ app }) => app.get(Forwarder, { strict: false }));
      const stopped = Promise.all(forwarders.map((forwarder) => forwarder.beforeApplicationShutdown()));
      await upgrade.query('ROLLBACK');
      await stopped;
      expect(receiver.connections).toBe(0);
    } finally {
      await upgrade.end();
      await receiver.stop();
      await server.stop();
    }
  });
});

describe('logs that are sent by syslog over UDP', async () => {
  const receiver = await SyslogReceiver.overUdp();
  const server = testServer({ Service_Forwarding__SyslogUrl: receiver.url });
  const tenant = testTenant(server);
  let second: SyslogReceiver | undefined;
  afterAll(() => second?.stop());

  const comes = (at: SyslogReceiver, id: string): Promise<void> =>
    eventually('the line comes', () => at.lines<Line>().some(({ entry }) => entry.id === id), PATIENT_MS);

  it('come as datagrams, without the values of a change that does not fit', async () => {
    const small = await writeChange(server, tenant.id);
    const large = await writeChange(server, tenant.id, { after: JSON.stringify({ text: 'x'.repeat(70_000) }) });
    await comes(receiver, small);
    await comes(receiver, large);
    const line = receiver.lines<Line>().find(({ entry }) => entry.id === large);
    expect([line?.isShortened, line?.entry.afterJson]).toEqual([true, null]);
    expect(receiver.faults).toEqual([]);
  });

  it('wait while nobody listens on this machine', async () => {
    const { port } = receiver;
    await receiver.stop();
    const id = await writeChange(server, tenant.id);
    await eventually('the failure is noted', async () => (await failureOf(server))?.includes('ECONNREFUSED') === true, PATIENT_MS);
    second = await SyslogReceiver.overUdp(port);
    await comes(second, id);
  });
});
