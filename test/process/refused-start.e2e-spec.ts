import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';

import { SERVICE_VERSION } from '../../src/platform/common/runtime/service-version.js';
import { createTestDatabase, type TestDatabase } from '../support/brokers/postgres.js';
import { eventually } from '../support/eventually.js';
import { Machine, onDatabase, type Environment } from '../support/processes/service-process.js';

const SECRET = 'hunter2-hunter2';

describe('a service that cannot start', () => {
  let machine: Machine;
  let database: TestDatabase;

  beforeAll(async () => {
    machine = await Machine.afterFirstStart();
    database = await createTestDatabase();
  });

  afterAll(async () => {
    await machine.close();
    await database.drop();
  });

  /** The output of a start with this configuration. Fails unless it ends with exit code 1 and prints only sentences. */
  async function refusal(env: Environment): Promise<string> {
    const program = machine.launch(env);
    expect(await program.untilEnd()).toEqual({ code: 1, signal: null });
    // No stack trace, and no line twice.
    expect(program.output).not.toMatch(/^\s+at |ERROR/m);
    return program.output;
  }

  describe('because of an option', () => {
    const wrong: [kind: string, name: string, value: string, expected: string][] = [
      ['a number', 'Service_Port', 'http', 'a whole number from 0 to 65535'],
      ['a switch', 'Service_AppOptions__EnableCors', 'maybe', 'true or false'],
      ['a duration', 'Service_AppOptions__AgentClockSkewTolerance', 'a minute', 'a duration such as 00:01:00'],
      ['a choice', 'Service_AppOptions__DefaultThemeMode', 'Sepia', 'one of Auto, Light, Dark'],
      ['a GUID', 'Service_Bootstrap__ServerServiceAccountTokenId', '1234', 'a GUID with hyphens'],
      ['an address', 'Service_BindAddress', 'localhost', 'an IP address'],
      ['a list', 'Service_AppOptions__KnownNetworks', '10.0.0.0/8,10.0.0.0/99', 'each entry a network such as 10.0.0.0/8'],
      ['a web address', 'Service_AppOptions__PublicUrl', 'devices.example.org', 'http:// or https://'],
      ['a secret', 'Service_Bootstrap__ServerServiceAccountTokenSecret', SECRET, '32 to 479 printable ASCII characters'],
      ['a log', 'Service_Forwarding__Logs', 'ChangeLog,Journal', 'each entry one of ChangeLog, SecurityLog, DeviceActivity'],
      ['a file', 'Service_Forwarding__File', '/nonexistent/lines.jsonl', 'a file in a folder that exists, or -'],
      ['a receiver', 'Service_Forwarding__HttpUrl', 'ftp://logs.example.org', 'http:// or https://, without user name'],
      ['a receiver of syslog', 'Service_Forwarding__SyslogUrl', 'tls://logs.example.org', 'tls://logs.example.org:6514'],
      ['a file of certificates', 'Service_Forwarding__SyslogCaFile', '/nonexistent/ca.pem', 'a file that exists'],
      ['a certificate', 'Service_Forwarding__HttpCertificateFile', '/dev/null', 'a file that can be read'],
      ['a key', 'Service_Forwarding__HttpKeyFile', SECRET, 'a file that exists'],
      ['a connection string', 'Service_ConnectionStrings__Default', `Host=;Password=${SECRET}`, 'postgres://'],
    ];

    it('names every invalid option, with what was expected', async () => {
      const output = await refusal(Object.fromEntries(wrong.map(([, name, value]) => [name, value])));

      expect(output).toContain('The configuration cannot be used:');
      for (const [, name, , expected] of wrong) {
        const line = output.split('\n').find((text) => text.startsWith(`- ${name}: expected `));
        expect(line).toContain(expected);
      }
      expect(output).not.toContain(SECRET);
    });

    it.each(['Name', 'TokenId', 'TokenSecret'])('requires a complete bootstrap account: without %s', async (missing) => {
      const name = `Service_Bootstrap__ServerServiceAccount${missing}`;

      const output = await refusal({ [name]: '' });

      expect(output).toMatch(new RegExp(`- ${name}: expected a value, because .* need it\\.`));
      expect(output).not.toContain(machine.account.key.slice(33));
    });

    it('reports a settings file that is missing or not JSON, without quoting it', async () => {
      const path = join(machine.folder, 'broken.json');
      await writeFile(path, `{ "ConnectionStrings": { "Default": "Password=${SECRET}" `);

      expect(await refusal({ Service_SettingsFile: 'missing.json' })).toContain(join(machine.folder, 'missing.json'));
      const output = await refusal({ Service_SettingsFile: 'broken.json' });
      expect(output).toContain(`${path}: expected a JSON object, but it is not valid JSON`);
      expect(output).not.toContain(SECRET);
    });

    it('reports a missing folder of secrets', async () => {
      const output = await refusal({ Service_AppOptions__EnableDockerSecrets: 'true', Service_SecretsPath: '/nonexistent' });

      expect(output).toContain('/nonexistent: expected a folder of secrets');
    });
  });

  describe('because of the database', () => {
    it('reports that the server cannot be reached', async () => {
      const output = await refusal({ POSTGRES_HOST: '127.0.0.1', POSTGRES_PORT: '1', POSTGRES_PASSWORD: SECRET });

      expect(output).toMatch(/The database cannot be reached: .*127\.0\.0\.1:1/);
      expect(output).not.toContain(SECRET);
    });

    it('reports an unknown database', async () => {
      const output = await refusal({ ...onDatabase(database), POSTGRES_DB: 'nowhere', POSTGRES_PASSWORD: SECRET });

      expect(output).toContain('The database cannot be reached: database "nowhere" does not exist');
      expect(output).not.toContain(SECRET);
    });

    it('reports what the database account lacks', async () => {
      const role = `stranger_${randomBytes(6).toString('hex')}`;
      const client = new Client(database.connection);
      await client.connect();
      await client.query(`CREATE ROLE ${role} LOGIN`);
      try {
        const output = await refusal({ ...onDatabase(database), POSTGRES_USER: role });

        expect(output).toMatch(/permission denied .*The account must own the database/);
      } finally {
        await client.query(`DROP ROLE ${role}`);
        await client.end();
      }
    });

    it.each([
      [
        'whose floor is above its release',
        `INSERT INTO schema_floor VALUES ('7.2.0', '8.0.1')`,
        `Release 8.0.1 of this service brought the database up to date. It can be used by release 7.2.0 and later, and this is release ${SERVICE_VERSION}.`,
      ],
      [
        'that has no floor',
        'SELECT',
        'by a newer version of this service, which made AddColours9999999999999. Start that version, or restore',
      ],
    ])('does not change a schema of a newer version %s', async (_, floor, sentence) => {
      const newer = await createTestDatabase();
      const client = new Client(newer.connection);
      await client.connect();
      try {
        await client.query(`INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'AddColours9999999999999')`);
        await client.query('DELETE FROM schema_floor');
        await client.query(floor);
        const output = await refusal(onDatabase(newer));

        expect(output).toContain(sentence);
      } finally {
        await client.end();
        await newer.drop();
      }
    });

    it.each([
      [
        'whose migrations nobody knows any more',
        `WITH known AS (DELETE FROM migrations)
           INSERT INTO migrations (timestamp, name) VALUES (1763650000000, 'InitialSchema1763650000000')`,
        'it has the migrations InitialSchema1763650000000. ',
      ],
      [
        'whose tables no migration has made',
        'DROP TABLE migrations',
        /it has the tables account_codes, authenticators, .+ and \d+ more\. /,
      ],
    ])('leaves a database from before the first release as it is: one %s', async (_, damage, what) => {
      const earlier = await createTestDatabase();
      const client = new Client(earlier.connection);
      await client.connect();
      const stored = async (): Promise<unknown[]> =>
        (
          await client.query<object>(`
            SELECT relname, query_to_xml('SELECT * FROM ' || oid::regclass, true, false, '')::text AS rows
            FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname`)
        ).rows;
      try {
        await client.query(`INSERT INTO tenants (id, name) VALUES (gen_random_uuid(), 'Northwind')`);
        await client.query(damage);
        const before = await stored();
        const output = await refusal(onDatabase(earlier));

        expect(output).toContain(
          'The database was made by a version from before the first release of this service, or by another program: ',
        );
        expect(output).toMatch(what);
        expect(output).toContain('It cannot be upgraded, and nothing was changed. Use an empty database');
        expect(await stored()).toEqual(before);
      } finally {
        await client.end();
        await earlier.drop();
      }
    });
  });

  describe('because of the data folder', () => {
    it.each(['its own PostgreSQL', 'one of the operator’s'])('reports that it cannot be created, with %s', async (which) => {
      const connection = which === 'its own PostgreSQL' ? {} : onDatabase(database);

      const output = await refusal({ ...connection, Service_DataPath: '/proc/data' });

      expect(output).toContain('The data folder /proc/data cannot be created or written to');
    });

    it('reports that it is not a folder', async () => {
      const path = join(machine.folder, 'occupied');
      await writeFile(path, '');

      expect(await refusal({ Service_DataPath: path })).toContain(path);
      expect(await refusal({ Service_DataPath: join(path, 'data') })).toContain(join(path, 'data'));
      expect(await refusal({ ...onDatabase(database), Service_DataPath: path })).toContain(path);
    });

    it('does not change a folder whose database it cannot open', async () => {
      const path = join(machine.folder, 'foreign');
      await mkdir(join(path, 'pg'), { recursive: true });
      await writeFile(join(path, 'pg', 'PG_VERSION'), '9\n');

      expect(await refusal({ Service_DataPath: path })).toContain('holds a database of PostgreSQL 9');
    });
  });

  it('shows the stack of an error that no operator can cause', async () => {
    const damaged = await createTestDatabase();
    const client = new Client(damaged.connection);
    await client.connect();
    await client.query('DROP TABLE nodes CASCADE');
    await client.end();

    const program = machine.launch(onDatabase(damaged));

    expect(await program.untilEnd()).toEqual({ code: 1, signal: null });
    await damaged.drop();
    expect(program.output).toMatch(/relation "nodes" does not exist[^]*^\s+at /m);
    expect(program.output).not.toContain('cannot listen');
  });

  it('reports that the machine has no such address', async () => {
    const output = await refusal({ ...onDatabase(database), Service_BindAddress: '192.0.2.1' });

    expect(output).toContain('Service_BindAddress: this machine has no such address to listen on as 192.0.2.1:');
  });

  it('reports that the port is in use, and leaves no PostgreSQL running', async () => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    const { port } = occupant.address() as AddressInfo;

    const output = await refusal({ Service_Port: String(port) });

    occupant.close();
    expect(output).toContain(`Service_Port: another program listens on 127.0.0.1:${port} already.`);
    await eventually('PostgreSQL stops', () =>
      machine.postgresPid().then(
        () => false,
        () => true,
      ),
    );
  });
});
