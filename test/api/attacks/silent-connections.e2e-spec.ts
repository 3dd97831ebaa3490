import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';

import { ServiceAccountAccessMode } from '../../../src/people/service-accounts/service-account.entity.js';
import { REQUESTS } from '../../../src/platform/database/connection/data-source.js';
import { InvalidationBus } from '../../../src/platform/database/invalidation/invalidation-bus.js';
import { TestApp } from '../../support/application/app.js';
import { createTestDatabase } from '../../support/brokers/postgres.js';
import { eventually } from '../../support/eventually.js';
import { createServiceAccountWithKey } from '../../support/fixtures/factories.js';
import { DatabaseProxy } from '../../support/stand-ins/database-proxy.js';

/*
 * A proxy between a node and the database goes silent on connections, and keeps them open: first on the one that hears of other nodes' writes,
 * while a caller tries to go on with a key that another node has revoked by then; then on all.
 */

const LISTENER = 'device-management invalidations';

let proxy: DatabaseProxy;
let server: TestApp;
let otherNode: Client;

beforeAll(async () => {
  vi.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
  const elsewhere = await createTestDatabase();
  proxy = await DatabaseProxy.start(elsewhere.connection);
  await elsewhere.drop();
  server = await TestApp.start({ POSTGRES_HOST: '127.0.0.1', POSTGRES_PORT: String(proxy.port) });
  otherNode = new Client(server.database.connection);
  await otherNode.connect();
});

afterAll(async () => {
  await otherNode.end();
  await server.stop();
  await proxy.stop();
  vi.restoreAllMocks();
});

describe('a listening connection that is silent', () => {
  it('is noticed, so that a key that another node revoked is refused', async () => {
    const { credential, key } = await createServiceAccountWithKey(server, { accessMode: ServiceAccountAccessMode.Unrestricted });
    const status = async (): Promise<number> => (await server.client({ 'x-api-key': key }).get('/api/v1/tenants')).status;
    expect(await status()).toBe(200);

    proxy.silence(LISTENER);
    await otherNode.query('UPDATE service_account_credentials SET revoked_at = now() WHERE id = $1', [credential.id]);
    await eventually('the key is refused', async () => (await status()) === 401);
    expect(server.app.get(InvalidationBus).isListening).toBe(false);
  });

  it('is replaced once the proxy passes on what is said', async () => {
    proxy.silence(null);
    await eventually('the node listens again', () => server.app.get(InvalidationBus).isListening);
    const { credential, key } = await createServiceAccountWithKey(server, { accessMode: ServiceAccountAccessMode.Unrestricted });
    const status = async (): Promise<number> => (await server.client({ 'x-api-key': key }).get('/api/v1/tenants')).status;
    expect(await status()).toBe(200);
    await otherNode.query('UPDATE service_account_credentials SET revoked_at = now() WHERE id = $1', [credential.id]);
    await eventually('the key is refused', async () => (await status()) === 401);
  });
});

describe('connections of requests that are silent', () => {
  it('are replaced, so that the node serves again without a restart', async () => {
    const bus = server.app.get(InvalidationBus);
    await eventually('the node listens', () => bus.isListening);
    // All of them, so that none waits for one that a job uses just now.
    const runners = Array.from({ length: REQUESTS.size }, () => server.dataSource.createQueryRunner());
    await Promise.all(runners.map((runner) => runner.connect()));
    proxy.silence('device-management');
    const ends = Promise.allSettled(runners.map((runner) => runner.query('SELECT 1')));
    await eventually('the node notices the silence', () => !bus.isListening);
    proxy.silence(null);
    expect((await ends).map(({ status }) => status)).toEqual(runners.map(() => 'rejected'));
    await Promise.all(runners.map((runner) => runner.release()));
    expect(await server.dataSource.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});
