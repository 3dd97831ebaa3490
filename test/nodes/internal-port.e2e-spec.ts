import { once } from 'node:events';
import { request as httpRequest } from 'node:http';

import { beforeAll, describe, expect, it } from 'vitest';

import { MAXIMUM_AGE_MS } from '../../src/devices/device-link/call-age.js';
import { NodeProof } from '../../src/live/nodes/bytes/node-proof.js';
import { VIEWER_HUB_PATH } from '../../src/platform/common/addresses/hub-paths.js';
import type { Edge } from '../../src/platform/http/addresses/edge.js';
import { REQUEST_ID_HEADER } from '../../src/platform/http/request-id.js';
import { SECURITY_HEADERS } from '../../src/platform/http/security-headers.js';
import { ServerNode } from '../../src/platform/node/server-node.js';
import type { Tenant } from '../../src/tenants/tenants/tenant.entity.js';
import { ROOT_KEY } from '../support/application/app.js';
import { createDevice, createTenant } from '../support/fixtures/factories.js';
import { noNats } from './support/nats-server.js';
import { NODES_SECRET } from './support/node-options.js';
import { testNodes } from './support/test-nodes.js';

const EDGE: Edge = {
  address: '203.0.113.9',
  isSecure: true,
  host: { header: 'Host', host: 'devices.example.org' },
  requestId: 'asked-at-another-node',
};

describe.skipIf(noNats !== undefined)('the internal port', () => {
  const nodes = testNodes(2);
  let tenant: Tenant;
  let url: string;

  beforeAll(async () => {
    tenant = await createTenant(nodes.node(0));
    const { id } = nodes.node(1).app.get(ServerNode, { strict: false });
    const address = await nodes.node(0).app.get(ServerNode, { strict: false }).addressOf(id);
    url = `http://${address}`;
  });

  const proof = (secret = NODES_SECRET, now = Date.now()): NodeProof => new NodeProof([secret], () => now);

  /** Creates a tag at an address, with these headers. */
  async function createTag(name: string, base: string, headers: Record<string, string>): Promise<Response> {
    return fetch(`${base}/api/v1/tags?tenantId=${tenant.id}`, {
      method: 'POST',
      headers: { 'x-api-key': ROOT_KEY, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ name, type: 'Permission' }),
    });
  }

  const addressesInLog = async (): Promise<unknown[]> => {
    const rows = await nodes
      .node(0)
      .dataSource.query<{ address: string; id: string }[]>(
        `SELECT ip_address AS address, correlation_id AS id FROM authorization_change_logs WHERE owning_tenant_id = $1 ORDER BY created_at`,
        [tenant.id],
      );
    return rows.map(({ address, id }) => [address, id]);
  };

  const prove = (secret?: string, now?: number, path = `/api/v1/tags?tenantId=${tenant.id}`): Record<string, string> =>
    proof(secret, now).prove({ method: 'POST', url: path, edge: EDGE });

  it('is announced in the row of its node', () => {
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(url).not.toBe(nodes.node(1).url);
  });

  it('serves what a node has proved, and believes it about the client', async () => {
    const answer = await createTag('Proved', url, prove());
    expect(answer.status).toBe(201);
    expect((await addressesInLog()).at(-1)).toEqual([EDGE.address, EDGE.requestId]);
  });

  it('answers without the headers that the node sets which passes the request on', async () => {
    const { headers } = await createTag('Without headers', url, prove());
    const common = ['Connection', 'Date', 'Keep-Alive', REQUEST_ID_HEADER, ...SECURITY_HEADERS.map(([name]) => name)];
    expect(common.filter((name) => headers.has(name))).toEqual([]);
    expect(headers.has('content-type')).toBe(true);
  });

  it.each<[string, () => Record<string, string>]>([
    ['no proof', () => ({})],
    ['a proof of another secret', () => prove('another-secret-of-at-least-32-characters')],
    ['an old proof', () => prove(NODES_SECRET, Date.now() - 60_000)],
    ['a proof of another path', () => prove(NODES_SECRET, Date.now(), '/api/v1/tags')],
    ['a changed client', () => ({ ...prove(), 'x-node-edge': Buffer.from('{}').toString('base64url') })],
  ])('refuses %s', async (_name, headers) => {
    const answer = await createTag('Refused', url, headers());
    expect([answer.status, await answer.text()]).toEqual([403, 'This port serves the other nodes of the service only.']);
  });

  it('counts the age of a change on a device from when the other node has read it', async () => {
    const { id } = await createDevice(nodes.node(0), { tenantId: tenant.id });
    const path = `/api/v1/device-file-system/delete-path/${id}?tenantId=${tenant.id}`;
    const remove = async (age?: number): Promise<number> => {
      const readAt = age === undefined ? undefined : Date.now() - age;
      const headers = proof().prove({ method: 'DELETE', url: path, edge: { ...EDGE, readAt } });
      const sent = { 'x-api-key': ROOT_KEY, 'content-type': 'application/json', ...headers };
      return (await fetch(url + path, { method: 'DELETE', headers: sent, body: JSON.stringify({ filePath: '/tmp/file' }) })).status;
    };
    // The device is offline. A node of an earlier release does not say when it has read a request.
    expect([await remove(), await remove(1_000), await remove(MAXIMUM_AGE_MS + 1_000)]).toEqual([409, 409, 503]);
  });

  it('refuses an upgrade without proof', async () => {
    const sent = httpRequest(`${url}${VIEWER_HUB_PATH}`, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'sec-websocket-version': '13',
        'x-api-key': ROOT_KEY,
      },
    });
    sent.end();
    const [answer] = (await once(sent, 'response')) as [{ statusCode: number; resume(): void }];
    answer.resume();
    expect(answer.statusCode).toBe(403);
  });

  it('has headers that the public port does not believe', async () => {
    const answer = await createTag('Public', nodes.node(1).url, prove());
    expect(answer.status).toBe(201);
    expect(answer.headers.get('x-request-id')).not.toBe(EDGE.requestId);
    expect((await addressesInLog()).at(-1)).not.toContain(EDGE.address);
  });
});
