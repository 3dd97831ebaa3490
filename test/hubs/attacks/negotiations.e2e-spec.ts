/*
 * One account, here without any permission, negotiates connections as fast as it can and opens none, to use up all places for
 * negotiated connections. The same is tried without a credential at the hub of the agents. Others must still get theirs.
 */
import { describe, expect, it } from 'vitest';

import { AGENT_HUB_PATH, VIEWER_HUB_PATH } from '../../../src/platform/common/addresses/hub-paths.js';
import { at } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { callerWith, TestViewer } from '../viewer-client.js';
import { hubOf } from './raw-hub-client.js';

const AT_ONCE = 50;

describe('negotiations without end', () => {
  const server = testServer({ Service_AppOptions__EnableNetworkTrust: 'true' });
  const tenant = testTenant(server);
  const keep = stopAfterEach();

  async function negotiate(path: string, headers: Record<string, string>): Promise<Response> {
    return fetch(`${server.url}${path}/negotiate?negotiateVersion=1`, { method: 'POST', headers });
  }

  /** Negotiates until refused. Returns the refusal, and the number of successes before. */
  async function negotiateAll(path: string, headers: Record<string, string>): Promise<{ refusal: Response; made: number }> {
    let made = 0;
    for (;;) {
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => negotiate(path, headers)));
      made += answers.filter(({ status }) => status === 200).length;
      const refusal = answers.find(({ status }) => status !== 200);
      if (refusal !== undefined) return { refusal, made };
    }
  }

  it('of one account leave room for others', async () => {
    const { maximumPendingNegotiations } = hubOf(server, VIEWER_HUB_PATH).limits;
    const [greedy, modest] = [
      await callerWith(server, tenant, [], at.tenant(tenant)),
      await callerWith(server, tenant, [], at.tenant(tenant)),
    ];
    const { refusal, made } = await negotiateAll(VIEWER_HUB_PATH, greedy.headers);
    expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([503, '1']);
    expect(made).toBeLessThan(maximumPendingNegotiations / 10);
    keep(await TestViewer.connect(server, modest.headers));
  });

  it('of one network leave room for others', async () => {
    const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });
    const { refusal } = await negotiateAll(AGENT_HUB_PATH, from('2001:db8:0:1::1'));
    expect(refusal.status).toBe(503);
    expect((await negotiate(AGENT_HUB_PATH, from('2001:db8:0:1:ffff::2'))).status).toBe(503);
    expect((await negotiate(AGENT_HUB_PATH, from('2001:db8:0:2::1'))).status).toBe(200);
  });
});
