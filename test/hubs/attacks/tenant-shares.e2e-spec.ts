import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ViewerLimits } from '../../../src/live/hubs/viewer/connections/viewer-places.js';
import { RelayLimits } from '../../../src/live/relay/relay-limits.js';
import { VIEWER_HUB_PATH } from '../../../src/platform/common/addresses/hub-paths.js';
import { newGuid } from '../../../src/platform/common/identifiers/guid.js';
import type { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import { RecordedMetrics } from '../../support/application/recorded-metrics.js';
import { eventually } from '../../support/eventually.js';
import { createServiceAccountWithKey, createTenant } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer } from '../../support/setup/test-server.js';
import { RelayPeer, relayUri, type Meeting } from '../relay-peer.js';
import { TestViewer } from '../viewer-client.js';

/*
 * One tenant makes as many accounts as it likes, each of which keeps to its own limits, and together they take every place at the relay or
 * every connection of viewers. Alone they may have nearly all; beside others no more than half.
 */

const recorded = new RecordedMetrics();
afterAll(() => recorded.stop());
const server = testServer();
const keep = stopAfterEach();
let greedy: Tenant;
let other: Tenant;

beforeEach(async () => {
  greedy = await createTenant(server);
  other = await createTenant(server);
});

async function headersOf({ id: tenantId }: Tenant): Promise<Record<string, string>> {
  return { 'x-api-key': (await createServiceAccountWithKey(server, { tenantId })).key };
}

describe('connections of viewers', () => {
  const limits = (): ViewerLimits => server.app.get(ViewerLimits, { strict: false });
  afterEach(() => Object.assign(limits(), new ViewerLimits()));

  const connect = async (tenant: Tenant): Promise<TestViewer> => keep(await TestViewer.connect(server, await headersOf(tenant)));
  /** A connection without a client, which is refused or opened. */
  const bare = (headers: Record<string, string>): RelayPeer =>
    keep(new RelayPeer(`${server.url.replace('http', 'ws')}${VIEWER_HUB_PATH}`, headers));
  const refusalOf = async (headers: Record<string, string>): Promise<unknown> => {
    const { status, headers: answered, body } = await bare(headers).refusal();
    return [status, answered['retry-after'], (JSON.parse(body) as { detail: string }).detail];
  };
  const REFUSED = [503, '1', 'The tenant of this account has too many hub connections. Try again in a second.'];

  it('are nearly all of one tenant, and half beside another', async () => {
    Object.assign(limits(), { inAll: 8 });
    for (let count = 0; count < 7; count += 1) await connect(greedy);
    expect(await refusalOf(await headersOf(greedy))).toEqual(REFUSED);
    await connect(other);
    expect([await refusalOf(await headersOf(other)), await refusalOf(await headersOf(greedy))]).toEqual([REFUSED, REFUSED]);
  });

  it('are some of one account, and free again when they end', async () => {
    Object.assign(limits(), { ofAccount: 2 });
    const headers = await headersOf(greedy);
    const again = (): Promise<TestViewer> => TestViewer.connect(server, headers).then(keep);
    const first = await again();
    await again();
    const refused = [503, '1', 'This account has too many hub connections. Try again in a second.'];
    expect(await refusalOf(headers)).toEqual(refused);
    await connect(greedy);
    await first.connection.stop();
    await eventually('its place is free', () =>
      again()
        .then(() => true)
        .catch(() => false),
    );
  });
});

describe('places at the relay', () => {
  const limits = (): RelayLimits => server.app.get(RelayLimits, { strict: false });
  afterEach(() => Object.assign(limits(), new RelayLimits()));

  const meeting = (): Meeting => ({ sessionId: newGuid(), accessToken: 'a token of the session' });
  /** A requester of a session that nobody has asked for. It waits, or is refused. */
  const requester = async (tenant: Tenant, timeout = '0'): Promise<RelayPeer> =>
    keep(new RelayPeer(relayUri(server, meeting(), 'requester', { timeout }), await headersOf(tenant)));
  /** 503 when there is no place, and 408 when nobody came within a second. */
  const statusOf = async (tenant: Tenant): Promise<number> => (await (await requester(tenant, '1')).refusal()).status;
  /** Waits until so many wait. Requests that are sent one after the other may arrive in any order. */
  const untilWaiting = (count: number): Promise<void> =>
    eventually(`${count} requesters wait`, async () => (await recorded.sum('relay.sockets.waiting', { role: 'requester' })) === count);
  beforeEach(() => untilWaiting(0));

  it.each([
    ['in all', { sockets: 8 }],
    ['that wait for sessions which nobody has asked for', { unexpectedRequesters: 8 }],
  ])('%s are nearly all of one tenant, and half beside another', async (_, changed) => {
    Object.assign(limits(), changed);
    for (let count = 0; count < 7; count += 1) await requester(greedy);
    await untilWaiting(7);
    expect(await statusOf(greedy)).toBe(503);
    const beside = await requester(other);
    await untilWaiting(8);
    expect([await statusOf(other), await statusOf(greedy)]).toEqual([503, 503]);
    beside.socket.terminate();
    await eventually('the other has a place again', async () => (await statusOf(other)) === 408);
  });

  it('that wait for sessions which nobody has asked for are few of one account', async () => {
    Object.assign(limits(), { unexpectedRequestersOfPrincipal: 1 });
    const headers = await headersOf(greedy);
    const wait = (timeout: string): RelayPeer => keep(new RelayPeer(relayUri(server, meeting(), 'requester', { timeout }), headers));
    wait('0');
    await untilWaiting(1);
    expect((await wait('1').refusal()).status).toBe(503);
    expect(await statusOf(greedy)).toBe(408);
  });
});
