import { describe, expect, it } from 'vitest';
import { ConnectionRequest } from './connection-request.js';

const FORWARDED = ['X-Forwarded-For', '192.0.2.1', 'x-forwarded-for', '192.0.2.2'];

describe('the request of a connection', () => {
  it('keeps path, query and headers, several of one name included, and not the key of the handshake', () => {
    const rawHeaders = ['Host', 'a:1', 'sec-WebSocket-Key', 'x', ...FORWARDED, 'Empty', ''];
    const { path, query, headers } = new ConnectionRequest({ url: '/hub?room=blue&room=red', rawHeaders });
    expect([path, query.getAll('room')]).toEqual(['/hub', ['blue', 'red']]);
    expect([...headers]).toEqual([
      ['empty', ''],
      ['host', 'a:1'],
      ['x-forwarded-for', '192.0.2.1, 192.0.2.2'],
    ]);
  });

  it('keeps no credentials', () => {
    const rawHeaders = ['AUTHORIZATION', 'Bearer s', 'Cookie', 's', 'cookie', 's', 'Proxy-Authorization', 's', 'Host', 'a'];
    const url = '/hub?id=1&access_token=s&room=red%20blue&access%5Ftoken=s';
    const { path, query, headers } = new ConnectionRequest({ url, rawHeaders });
    expect([...headers]).toEqual([['host', 'a']]);
    expect([path, ...query]).toEqual(['/hub', ['id', '1'], ['room', 'red blue']]);
  });

  it('keeps the headers that were chosen and no others', () => {
    const rawHeaders = ['Host', 'a', 'Cookie', 'c', 'x-api-key', 's', ...FORWARDED];
    const { headers } = new ConnectionRequest({ url: '/hub', rawHeaders }, ['X-Forwarded-for', 'COOKIE']);
    expect([...headers]).toEqual([
      ['cookie', 'c'],
      ['x-forwarded-for', '192.0.2.1, 192.0.2.2'],
    ]);
    expect([...new ConnectionRequest({ url: '/hub', rawHeaders }, []).headers]).toEqual([]);
  });

  it('may have no headers', () => {
    expect([...new ConnectionRequest({ url: '/hub', rawHeaders: [] }).headers]).toEqual([]);
  });
});
