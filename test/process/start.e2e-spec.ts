import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import module from 'node:module';
import { join } from 'node:path';
import { Client } from 'pg';

import type { Service } from '../../demo/service.js';
import { SERVICE_VERSION } from '../../src/platform/common/runtime/service-version.js';
import { createTestDatabase, type TestDatabase } from '../support/brokers/postgres.js';
import { Machine, isAlive, onDatabase } from '../support/processes/service-process.js';

const NO_BOOTSTRAP = {
  Service_Bootstrap__ServerServiceAccountName: '',
  Service_Bootstrap__ServerServiceAccountTokenId: '',
  Service_Bootstrap__ServerServiceAccountTokenSecret: '',
};

describe('starting the service', () => {
  it('runs on the schema of a newer release which says that this one may', async () => {
    const [machine, database] = [await Machine.open(), await createTestDatabase()];
    const client = new Client(database.connection);
    await client.connect();
    try {
      await client.query(`INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'AddColours9999999999999')`);
      await client.query('DELETE FROM schema_floor');
      await client.query(`INSERT INTO schema_floor VALUES ($1, '8.0.1')`, [SERVICE_VERSION]);
      const { url } = await machine.start(onDatabase(database));
      expect(await answers(url, '/health/ready')).toBe(200);
      expect((await client.query<object>('SELECT * FROM schema_floor')).rows).toEqual([{ release: SERVICE_VERSION, made_by: '8.0.1' }]);
    } finally {
      await client.end();
      await machine.close();
      await database.drop();
    }
  });

  describe('for the first time', () => {
    let machine: Machine;

    beforeAll(async () => {
      machine = await Machine.open();
    });

    afterAll(() => machine.close());

    it('needs no configuration, and explains how to get the first credential', async () => {
      const { program, url } = await machine.start({ ...NO_BOOTSTRAP, Service_DataPath: '' });

      const output = (await program.untilPrints(/No credential exists yet.*\n/)).input;

      expect(output).toContain(`Listening on ${url}`);
      expect(output).toMatch(/PublicUrl is not set: links name the host that was called, mails with links are not sent, and passkeys /);
      expect(output).toContain(`Database: bundled PostgreSQL at ${machine.dataPath}/run`);
      expect(output).toContain(`Data: ${machine.dataPath}\n`);
      for (const name of Object.keys(NO_BOOTSTRAP)) expect(output).toContain(name);
      // A few lines, not one per module and route.
      expect(output.trim().split('\n').length).toBeLessThanOrEqual(7);
      expect(await answers(url, '/health')).toBe(200);
      expect(await answers(url, '/alive')).toBe(200);
    });
  });

  describe('with the bundled PostgreSQL', () => {
    let machine: Machine;
    let first: Service;

    beforeAll(async () => {
      machine = await Machine.afterFirstStart();
      // Without the compile cache of the tests, which would be used instead of the one in the data folder.
      first = await machine.start({ Service_Logging__LogLevel__Default: 'Trace', NODE_COMPILE_CACHE: '' });
    });

    afterAll(() => machine.close());

    it('refuses to start a second service on the same data folder, without disturbing the first', async () => {
      const second = machine.launch();

      expect(await second.untilEnd()).toEqual({ code: 1, signal: null });
      expect(second.output).toContain(`Another service process (pid ${first.program.pid}) is using the database`);
      expect(await answers(first.url, '/health')).toBe(200);
    });

    // These two stop the service.
    it('creates the bootstrap account once, and has all data at the next start', async () => {
      await first.program.untilPrints(/Bootstrap: created the Unrestricted server service account "automation".*\n/);
      const created = await machine.client(first).post('/api/v1/tenants', { body: { name: 'Kept' } });
      const { tenantId } = created.as<{ tenantId: string }>();
      const postgres = await machine.postgresPid();
      await first.program.stop();
      expect(await isAlive(postgres)).toBe(false);

      // Node.js 20 has no compile cache.
      expect(existsSync(join(machine.dataPath, 'compiled-code'))).toBe('enableCompileCache' in module);

      const next = await machine.start();

      await next.program.untilPrints(/Bootstrap: the server service account "automation" exists; nothing was changed\.\n/);
      const tenant = await machine.client(next).get(`/api/v1/tenants/${tenantId}`);
      expect(tenant.as<{ tenantName: string }>().tenantName).toBe('Kept');
    });

    it('never prints the bootstrap secret or its key', async () => {
      await first.program.stop();

      const secret = machine.account.key.slice(33);
      expect(secret.length).toBeGreaterThan(31);
      expect(first.program.output).toMatch(/Bootstrap: created/);
      expect(first.program.output).not.toContain(secret);
      expect(first.program.output).toContain(machine.account.key.slice(0, 32));
    });
  });

  describe('with the operator’s PostgreSQL', () => {
    let machine: Machine;
    let database: TestDatabase;

    beforeAll(async () => {
      machine = await Machine.open();
      database = await createTestDatabase();
    });

    afterAll(async () => {
      await machine.close();
      await database.drop();
    });

    it('finds it by POSTGRES_ variables', async () => {
      const { program, url } = await machine.start(onDatabase(database));

      const { host, port, database: name } = database.connection;
      await program.untilPrints(/Bootstrap: created/);
      expect(program.output).toContain(`Database: PostgreSQL at ${host}:${port}, database ${name}`);
      expect(await answers(url, '/health')).toBe(200);
      expect((await machine.client({ url }).get('/api/v1/tenants')).status).toBe(200);
      await program.stop();
    });

    it('says where to open it also when it listens everywhere, and misses no address that is configured', async () => {
      const { program } = await machine.start({
        ...onDatabase(database),
        Service_BindAddress: '0.0.0.0',
        Service_AppOptions__PublicUrl: 'https://devices.example.org',
      });
      await program.untilPrints(/Data: /);
      expect(program.output).toMatch(/Listening on http:\/\/localhost:\d+\n/);
      expect(program.output).not.toContain('0.0.0.0');
      expect(program.output).not.toContain('PublicUrl');
      await program.stop();
    });

    it('finds it by a connection string, reads settings from a file in the working directory, and warns of unknown options', async () => {
      const { host, port, user, database: name } = database.connection;
      await writeFile(join(machine.folder, 'settings.json'), JSON.stringify({ AppOptions: { EnableApiBrowserUi: true } }));

      const service = await machine.start({
        Service_ConnectionStrings__Default: `Host=${host};Port=${port};Username=${user};Password=un;Database=${name}`,
        Service_AppOptions__EnableCros: 'true',
      });

      expect((await machine.client(service).get('/api/v1/tenants')).status).toBe(200);
      expect(service.program.output).not.toContain('Password');
      expect(await answers(service.url, '/openapi/v1.json')).toBe(200);
      expect(service.program.output).toMatch(/WARN .*Service_AppOptions__EnableCros/);
    });
  });
});

async function answers(url: string, path: string): Promise<number> {
  const response = await fetch(new URL(path, url));
  await response.body?.cancel();
  return response.status;
}
