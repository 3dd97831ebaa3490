import { describe, expect, it } from 'vitest';
import { NegotiationTable, negotiateBody, negotiateVersion, newConnectionId } from './negotiation.js';

function tableOf(nodeId: string, maximum: number, perClient = maximum): NegotiationTable {
  const limits = { maximumPendingNegotiations: maximum, maximumPendingNegotiationsPerClient: perClient, negotiationLifetimeMs: 1_000 };
  return new NegotiationTable(nodeId, limits);
}

describe('NegotiationTable', () => {
  it('makes ids that begin with the node, and tokens that do not reveal the id', () => {
    const table = tableOf('node-1', 10);
    const created = table.create(0, 'me');
    expect(created?.connectionId).toMatch(/^node-1\.[\w-]{22}$/);
    expect(created?.connectionToken).toMatch(/^[\w-]{32}$/);
    expect(newConnectionId('node-1')).not.toBe(created?.connectionId);
  });

  it('lets a token open one connection', () => {
    const table = tableOf('n', 10);
    const { connectionId, connectionToken } = table.create(0, 'me') ?? { connectionId: '', connectionToken: '' };
    expect(table.claim(connectionToken, 999)).toEqual({ outcome: 'claimed', connectionId });
    expect(table.claim(connectionToken, 999)).toEqual({ outcome: 'in use' });
    expect(table.claim(connectionId, 999)).toEqual({ outcome: 'unknown' });
  });

  it('forgets a token after its lifetime', () => {
    const table = tableOf('n', 10);
    const created = table.create(0, 'me');
    expect(table.claim(created?.connectionToken ?? '', 1_000)).toEqual({ outcome: 'unknown' });
    expect(table.size).toBe(0);
  });

  it('makes no more tokens than it may until some expire', () => {
    const table = tableOf('n', 2);
    expect([table.create(0, 'me'), table.create(1, 'me'), table.create(2, 'me')].map((created) => created !== undefined)).toEqual([
      true,
      true,
      false,
    ]);
    expect(table.create(1_000, 'me')).toBeDefined();
    table.expire(5_000);
    expect(table.size).toBe(0);
  });

  it('does not count tokens that were used', () => {
    const table = tableOf('n', 1);
    for (let at = 0; at < 5; at += 1) expect(table.claim(table.create(at, 'me')?.connectionToken ?? '', at).outcome).toBe('claimed');
    expect([table.create(5, 'me'), table.create(6, 'me')].map((created) => created !== undefined)).toEqual([true, false]);
    table.expire(5_000);
    expect([table.create(5_000, 'me'), table.create(5_001, 'me')].map((created) => created !== undefined)).toEqual([true, false]);
  });

  it('leaves room for others when one client makes as many tokens as it may', () => {
    const table = tableOf('n', 10, 2);
    const made = (client: string, now: number): boolean => table.create(now, client) !== undefined;
    expect([made('greedy', 0), made('greedy', 0), made('greedy', 0), made('modest', 0)]).toEqual([true, true, false, true]);
    expect([made('greedy', 1_000), made('greedy', 1_000), made('greedy', 1_000)]).toEqual([true, true, false]);
    const used = table.create(1_000, 'modest');
    expect(table.claim(used?.connectionToken ?? '', 1_000).outcome).toBe('claimed');
    expect([made('modest', 1_000), made('modest', 1_000), made('modest', 1_000)]).toEqual([true, true, false]);
  });
});

describe('the answer to a negotiate request', () => {
  it.each([
    ['', 0],
    ['negotiateVersion=0', 0],
    ['a=b&negotiateVersion=1', 1],
    ['negotiateVersion=2', 1],
    ['negotiateVersion=-1', 0],
    ['negotiateVersion=x', 0],
  ])('has for the query %j version %i', (query, version) => {
    expect(negotiateVersion(query)).toBe(version);
  });

  it('has a token beside the id from version 1 on', () => {
    const availableTransports = [{ transport: 'WebSockets', transferFormats: ['Text', 'Binary'] }];
    expect(JSON.parse(negotiateBody(1, 'id', 'token'))).toEqual({
      negotiateVersion: 1,
      connectionId: 'id',
      connectionToken: 'token',
      availableTransports,
    });
    expect(JSON.parse(negotiateBody(0, 'id', 'token'))).toEqual({ negotiateVersion: 0, connectionId: 'token', availableTransports });
  });
});
