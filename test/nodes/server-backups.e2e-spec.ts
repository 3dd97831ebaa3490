import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { Permission } from '../../src/access/authorization/permissions/permission.js';
import type { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import { ServerNode } from '../../src/platform/node/server-node.js';
import { BackupRunsRepository } from '../../src/system/backups/running/backup-runs.repository.js';
import type { ServerBackupsResponseDto } from '../../src/system/backups/running/server-backups.dto.js';
import type { ServerNodesResponseDto } from '../../src/system/server/server-nodes.dto.js';
import { callerWith } from '../hubs/viewer-client.js';
import type { ApiAnswer } from '../support/application/api-client.js';
import { browserOf } from '../support/callers/browser.js';
import { eventually } from '../support/eventually.js';
import { at, createTenant, createUser, grant, holder } from '../support/fixtures/factories.js';
import { portToKeep } from '../support/processes/service-process.js';
import { noNats } from './support/nats-server.js';
import { testNodes } from './support/test-nodes.js';

const PATH = '/account/server-backups';

/* Each node makes backups in a folder of its own, and any node answers for the one that a request names. */
describe.skipIf(noNats !== undefined)('the backups of several nodes', () => {
  const nodes = testNodes(2);
  let tenant: Tenant;
  /** The addresses of the nodes, as the list of nodes has them. */
  let addresses: readonly string[];

  beforeAll(async () => {
    tenant = await createTenant(nodes.node(0));
    const list = (await nodes.node(0).client().get('/account/server-nodes')).as<ServerNodesResponseDto>();
    const idOf = (number: number): string => nodes.node(number).app.get(ServerNode, { strict: false }).id;
    addresses = [idOf(0), idOf(1)].map((id) => String(list.nodes.find((node) => node.id === id)?.address));
  });

  afterEach(() => nodes.node(1).clock.advance(1_000));

  const ask = (number: number, node?: string): Promise<ApiAnswer> => nodes.node(number).client().get(PATH, { query: { node } });
  const listed = async (number: number, node?: string): Promise<ServerBackupsResponseDto> => (await ask(number, node)).as();
  const folderOf = (number: number): string => join(nodes.node(number).dataPath, 'backups');

  /** The backups of the second node as the first one answers, once nothing runs. */
  async function atRest(): Promise<ServerBackupsResponseDto> {
    await eventually('nothing runs', async () => (await listed(0, addresses[1])).running === null);
    return listed(0, addresses[1]);
  }

  /** Makes a backup at the second node whose file is complete, and whose outcome is stored when the returned function is called. */
  async function unstoredBackup(): Promise<() => void> {
    const runs = nodes.node(1).app.get(BackupRunsRepository);
    let store = (): void => undefined;
    const storing = new Promise<void>((resolve) => (store = resolve));
    const complete = new Promise<void>((resolve) => {
      vi.spyOn(runs, 'succeeded').mockImplementationOnce(async (...outcome) => {
        resolve();
        await storing;
        await runs.succeeded(...outcome);
      });
    });
    onTestFinished(() => {
      store();
      vi.restoreAllMocks();
    });
    expect((await nodes.node(1).client().post(PATH)).status).toBe(202);
    await complete;
    return store;
  }

  it('are those of the node that answers, or of the one that is named by address or id', async () => {
    for (const number of [0, 1]) {
      const own = { node: addresses[number], folder: folderOf(number) };
      expect(await listed(number)).toMatchObject(own);
      for (const asked of [0, 1]) expect(await listed(asked, addresses[number])).toMatchObject(own);
      expect(await listed(0, nodes.node(number).app.get(ServerNode, { strict: false }).id)).toMatchObject(own);
    }
  });

  it('are made and verified at the named node, in the name of the caller', async () => {
    const begun = await nodes
      .node(0)
      .client()
      .post(PATH, { query: { node: addresses[1] } });
    expect([begun.status, begun.body]).toEqual([202, expect.objectContaining({ node: addresses[1] })]);
    const { files } = await atRest();
    expect(files.map(({ path }) => path)).toEqual([join(folderOf(1), files[0].name)]);
    expect((await listed(0)).files).toEqual([]);
    const verification = `${PATH}/${files[0].name}/verification`;
    expect((await nodes.node(0).client().post(verification)).status).toBe(404);
    const query = { node: addresses[1] };
    const verified = await nodes.node(0).client().post(verification, { query });
    expect(verified.status).toBe(202);
    expect((await atRest()).files).toMatchObject([{ check: 'Whole' }]);
    const rows = await nodes.node(0).dataSource.query<{ action: string; id: string; address: string }[]>(
      `SELECT action_type AS action, correlation_id AS id, ip_address AS address FROM authorization_change_logs
         WHERE target_type = 'ServerBackup' ORDER BY created_at`,
    );
    const idOf = ({ headers }: ApiAnswer): string | null => headers.get('x-request-id');
    expect(rows).toEqual([
      { action: 'server-backup-requested', id: idOf(begun), address: '127.0.0.1' },
      { action: 'server-backup-verified', id: idOf(verified), address: '127.0.0.1' },
    ]);
  });

  it('take a request of a page, with its cookie and its body', async () => {
    const user = await createUser(nodes.node(0), { tenantId: tenant.id });
    await grant(nodes.node(0), { principal: holder.user(user), permission: Permission.ServerSettingsWrite, scope: at.server });
    const page = await browserOf(nodes.node(0), user);
    const call = { query: { node: addresses[1] } };
    const body = { text: randomBytes(100).toString('hex') };
    expect(await page.post(PATH, body, call)).toMatchObject({ status: 202, body: { node: addresses[1] } });
    await atRest();
    const elsewhere = { ...call, headers: { origin: 'https://elsewhere.example.org' } };
    expect((await page.post(PATH, body, elsewhere)).status).toBe(403);
  });

  it('that one node makes run for all nodes, until it has stored the outcome', async () => {
    const store = await unstoredBackup();
    const before = await listed(0);
    expect([before.running, before.runs[0]]).toEqual([null, expect.objectContaining({ outcome: 'Running', finishedAt: null })]);
    expect(await listed(0, addresses[1])).toMatchObject({
      running: { task: 'Backup' },
      runs: [{ outcome: 'Running' }, ...before.runs.slice(1)],
    });
    // Nobody else begins one.
    expect((await nodes.node(0).client().post(PATH)).status).toBe(409);
    store();
    await atRest();
    expect((await listed(0)).runs[0]).toMatchObject({ outcome: 'Complete', failure: null });
  });

  it('of a node that is not there are a refusal', async () => {
    expect(await ask(0, 'nobody')).toMatchObject({ status: 404, body: { detail: 'The node was not found.' } });
    expect(
      (
        await nodes
          .node(0)
          .client()
          .post(PATH, { query: { node: '10.255.255.1:8091' } })
      ).status,
    ).toBe(404);
    expect((await ask(0, 'x'.repeat(301))).status).toBe(400);
    expect((await nodes.node(0).client().get(`${PATH}?node=a&node=b`)).status).toBe(400);
    expect((await listed(0)).files).toEqual([]);
  });

  it('of a node that cannot be reached are a refusal that says so', async () => {
    const address = `127.0.0.1:${await portToKeep()}`;
    await nodes
      .node(0)
      .dataSource.query(`INSERT INTO nodes (id, version, address, started_at, last_seen_at) VALUES ('killed', '1', $1, now(), now())`, [
        address,
      ]);
    onTestFinished(() => nodes.node(0).dataSource.query(`DELETE FROM nodes WHERE id = 'killed'`));
    const answer = await ask(0, address);
    expect(answer).toMatchObject({ status: 503, body: { detail: 'The node cannot be reached.' } });
    expect(answer.headers.get('retry-after')).toBe('2');
  });

  it('are refused to callers without the permission, whichever node they name', async () => {
    const { headers } = await callerWith(nodes.node(0), tenant, [Permission.TenantSettingsWrite], at.tenant(tenant));
    for (const node of [undefined, ...addresses, 'nobody']) {
      const answers = await Promise.all([
        nodes.node(0).client().get(PATH, { query: { node }, headers }),
        nodes.node(0).client().post(PATH, { query: { node }, headers }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    }
    expect((await fetch(`${nodes.node(0).url}${PATH}?node=${addresses[1]}`)).status).toBe(401);
  });
});
