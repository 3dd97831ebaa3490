import { describe, expect, it } from '@jest/globals';
import { NegotiationTable, negotiateBody, negotiateVersion, newConnectionId } from './negotiation.js';

describe('NegotiationTable', () => {
  it('makes ids that begin with the node, and tokens that do not reveal the id', () => {
    const table = new NegotiationTable('node-1', 10, 1_000);
    const created = table.create(0);
    expect(created?.connectionId).toMatch(/^node-1\.[\w-]{22}$/);
    expect(created?.connectionToken).toMatch(/^[\w-]{32}$/);
    expect(newConnectionId('node-1')).not.toBe(created?.connectionId);
  });

  it('lets a token open one connection', () => {
    const table = new NegotiationTable('n', 10, 1_000);
    const { connectionId, connectionToken } = table.create(0) ?? { connectionId: '', connectionToken: '' };
    expect(table.claim(connectionToken, 999)).toEqual({ outcome: 'claimed', connectionId });
    expect(table.claim(connectionToken, 999)).toEqual({ outcome: 'in use' });
    expect(table.claim(connectionId, 999)).toEqual({ outcome: 'unknown' });
  });

  it('forgets a token after its lifetime', () => {
    const table = new NegotiationTable('n', 10, 1_000);
    const created = table.create(0);
    expect(table.claim(created?.connectionToken ?? '', 1_000)).toEqual({ outcome: 'unknown' });
    expect(table.size).toBe(0);
  });

  it('makes no more tokens than it may until some expire', () => {
    const table = new NegotiationTable('n', 2, 1_000);
    expect([table.create(0), table.create(1), table.create(2)].map((created) => created !== undefined)).toEqual([true, true, false]);
    expect(table.create(1_000)).toBeDefined();
    table.expire(5_000);
    expect(table.size).toBe(0);
  });

  it('does not count tokens that were used', () => {
    const table = new NegotiationTable('n', 1, 1_000);
    for (let at = 0; at < 5; at += 1) expect(table.claim(table.create(at)?.connectionToken ?? '', at).outcome).toBe('claimed');
    expect([table.create(5), table.create(6)].map((created) => created !== undefined)).toEqual([true, false]);
    table.expire(5_000);
    expect([table.create(5_000), table.create(5_001)].map((created) => created !== undefined)).toEqual([true, false]);
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
