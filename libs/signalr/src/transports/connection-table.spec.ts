import { beforeEach, describe, expect, it } from 'vitest';
import type { Claimant, Negotiated, NegotiationRequest } from './connection-homes.js';
import { ConnectionTable, newConnectionId } from './connection-table.js';

const LIFETIME_MS = 1_000;

let now: number;

beforeEach(() => {
  now = 0;
});

function tableOf(maximum: number, perClient = maximum): ConnectionTable {
  const limits = {
    maximumPendingNegotiations: maximum,
    maximumPendingNegotiationsPerClient: perClient,
    negotiationLifetimeMs: LIFETIME_MS,
  };
  return new ConnectionTable('node-1', limits, () => now);
}

function issue(
  table: ConnectionTable,
  { version = 1, userId, stays = false, client = 'me' }: Partial<NegotiationRequest> = {},
): Negotiated {
  const negotiated = table.issue({ version, client, userId, stays });
  if (negotiated === undefined) throw new Error('Too many wait already.');
  return negotiated;
}

/** For each of so many tries, true if it succeeds. */
function tries(count: number, table: ConnectionTable, client = 'me'): boolean[] {
  return Array.from({ length: count }, () => table.issue({ version: 1, client, userId: undefined, stays: false }) !== undefined);
}

const opener: Claimant = { userId: undefined, opens: true, isWebSocket: true };
const speaker: Claimant = { userId: undefined, opens: false, isWebSocket: false };

describe('ConnectionTable', () => {
  it('makes ids that begin with the node, and tokens that do not reveal the id', () => {
    const { connectionId, token } = issue(tableOf(10));
    expect(connectionId).toMatch(/^node-1\.[\w-]{22}$/);
    expect(token).toMatch(/^[\w-]{32}$/);
    expect(newConnectionId('node-1')).not.toBe(connectionId);
  });

  it('uses the id as the token in version 0, which has only one id', () => {
    const table = tableOf(10);
    const { connectionId, token } = issue(table, { version: 0 });
    expect(token).toBe(connectionId);
    expect(table.claim(connectionId, opener)).toMatchObject({ outcome: 'new', connectionId });
  });

  it('lets a token open one connection, and find it again until it has ended', () => {
    const table = tableOf(10);
    const { connectionId, token } = issue(table, { stays: true });
    expect(table.claim(token, opener)).toEqual({ outcome: 'new', connectionId, stays: true });
    now = 10 * LIFETIME_MS;
    expect(table.claim(token, opener)).toEqual({ outcome: 'open', connectionId });
    expect(table.claim(token, speaker)).toEqual({ outcome: 'open', connectionId });
    expect(table.claim(connectionId, opener)).toEqual({ outcome: 'unknown' });
    table.ended(token);
    expect(table.claim(token, opener)).toEqual({ outcome: 'unknown' });
    expect(table.size).toBe(0);
  });

  it('opens no connection for a request that sends or ends', () => {
    const table = tableOf(10);
    const { token } = issue(table);
    expect(table.claim(token, speaker)).toEqual({ outcome: 'unknown' });
    expect(table.claim(token, opener)).toMatchObject({ outcome: 'new' });
  });

  it.each([
    ['somebody else', 'ann', 'bob'],
    ['nobody', 'ann', undefined],
    ['somebody, although nobody negotiated', undefined, 'bob'],
  ])('knows no connection for %s', (_case, owner, other) => {
    const table = tableOf(10);
    const { token } = issue(table, { userId: owner });
    expect(table.claim(token, { ...opener, userId: other })).toEqual({ outcome: 'unknown' });
    expect(table.claim(token, { ...opener, userId: owner })).toMatchObject({ outcome: 'new' });
    expect(table.claim(token, { ...speaker, userId: other })).toEqual({ outcome: 'unknown' });
    expect(table.claim(token, { ...speaker, userId: owner })).toMatchObject({ outcome: 'open' });
  });

  it('forgets a token that was not used during its lifetime', () => {
    const table = tableOf(10);
    const { token } = issue(table);
    now = LIFETIME_MS;
    expect(table.claim(token, opener)).toEqual({ outcome: 'unknown' });
    expect(table.size).toBe(0);
  });

  it('makes no more tokens than it may until some expire', () => {
    const table = tableOf(2);
    expect(tries(3, table)).toEqual([true, true, false]);
    now = LIFETIME_MS;
    expect(tries(1, table)).toEqual([true]);
    now = 5 * LIFETIME_MS;
    table.sweep();
    expect(table.size).toBe(0);
  });

  it('does not count tokens that were used', () => {
    const table = tableOf(1);
    for (let opened = 0; opened < 5; opened += 1) expect(table.claim(issue(table).token, opener)).toMatchObject({ outcome: 'new' });
    expect(tries(2, table)).toEqual([true, false]);
    now = LIFETIME_MS;
    expect(tries(2, table)).toEqual([true, false]);
  });

  it('leaves room for others when one client makes as many tokens as it may', () => {
    const table = tableOf(10, 2);
    expect([...tries(3, table, 'greedy'), ...tries(1, table, 'modest')]).toEqual([true, true, false, true]);
    now = LIFETIME_MS;
    expect(tries(3, table, 'greedy')).toEqual([true, true, false]);
    expect(table.claim(issue(table, { client: 'modest' }).token, opener)).toMatchObject({ outcome: 'new' });
    expect(tries(3, table, 'modest')).toEqual([true, true, false]);
  });
});
