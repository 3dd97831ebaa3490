import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { endWithLateBytes } from './late-bytes.js';

describe('a hub connection that is passed on to another node', () => {
  const sockets: Socket[] = [];
  const servers: Server[] = [];
  /** The client and the other node, and the bytes that have come to them. */
  let client: Socket;
  let node: Socket;
  let received: Buffer[];
  /** Milliseconds for which what is read may have waited. */
  let waited: number;

  /** Both ends of a connection. */
  async function connection(): Promise<[Socket, Socket]> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const outer = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [inner] = await accepted;
    sockets.push(outer, inner);
    servers.push(server);
    for (const socket of [outer, inner]) socket.on('error', () => undefined);
    return [outer, inner];
  }

  beforeEach(async () => {
    let near: Socket;
    let far: Socket;
    [client, near] = await connection();
    [node, far] = await connection();
    received = [];
    for (const end of [client, node]) end.on('data', (bytes) => received.push(bytes));
    waited = 0;
    endWithLateBytes(near, far, { arrivedSince: () => performance.now() - waited });
    near.pipe(far).pipe(near);
  });

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const server of servers.splice(0)) server.close();
  });

  it('passes what this node reads in time', async () => {
    waited = 4_000;
    client.write('to the node');
    await once(node, 'data');
    node.write('to the client');
    await once(client, 'data');
    expect(received.join()).toBe('to the node,to the client');
  });

  it.each(['client', 'node'])('ends with bytes of the %s that may have waited for more than 5 s, and passes none of them', async (from) => {
    waited = 5_100;
    const [sender, receiver] = from === 'client' ? [client, node] : [node, client];
    sender.write('too late');
    await Promise.all([once(sender, 'close'), once(receiver, 'close')]);
    expect(received).toEqual([]);
  });
});
