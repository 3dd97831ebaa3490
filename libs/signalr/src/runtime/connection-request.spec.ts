import { describe, expect, it } from 'vitest';
import { ConnectionRequest } from './connection-request.js';

describe('the request of a connection', () => {
  it('keeps path, query and headers, several of one name included, and not the key of the handshake', () => {
    const rawHeaders = [
      'Host',
      'a:1',
      'sec-WebSocket-Key',
      'x',
      'X-Forwarded-For',
      '192.0.2.1',
      'x-forwarded-for',
      '192.0.2.2',
      'Empty',
      '',
    ];
    const { path, query, headers } = new ConnectionRequest({ url: '/hub?room=blue&room=red', rawHeaders });
    expect([path, query.getAll('room')]).toEqual(['/hub', ['blue', 'red']]);
    expect([...headers]).toEqual([
      ['empty', ''],
      ['host', 'a:1'],
      ['x-forwarded-for', '192.0.2.1, 192.0.2.2'],
    ]);
  });

  it('may have no headers', () => {
    expect([...new ConnectionRequest({ url: '/hub', rawHeaders: [] }).headers]).toEqual([]);
  });
});
