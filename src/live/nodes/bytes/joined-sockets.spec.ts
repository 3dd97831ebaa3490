import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { JoinedSocket } from './joined-sockets.js';

/** More than the network's buffers hold. */
const FLOOD = 64 * 1024 * 1024;
const PIECE = 1024 * 1024;

/** Receives until the end of the other side, and leaves the socket open for writing. */
async function received(socket: Socket): Promise<Buffer> {
  const pieces: Buffer[] = [];
  socket.on('data', (bytes: Buffer) => pieces.push(bytes));
  await once(socket, 'end');
  return Buffer.concat(pieces);
}

describe('two sockets that are joined', () => {
  const sockets: Socket[] = [];
  const servers: Server[] = [];
  /** The client and the other node. */
  let client: Socket;
  let node: Socket;
  /** Their counterparts, which are joined. */
  let near: JoinedSocket;
  let far: JoinedSocket;
  let areLate: boolean;

  /** Both ends of a connection. */
  async function connection(): Promise<[Socket, Socket]> {
    const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const outer = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
    const [inner] = await accepted;
    sockets.push(outer, inner);
    servers.push(server);
    for (const socket of [outer, inner]) socket.on('error', () => undefined);
    return [outer, inner];
  }

  /** The end that sends, and the one that receives. */
  const sidesFrom = (from: string): [Socket, Socket] => (from === 'client' ? [client, node] : [node, client]);

  beforeEach(async () => {
    areLate = false;
    const [outerClient, accepted] = await connection();
    const [outerNode, opened] = await connection();
    client = outerClient;
    node = outerNode;
    near = new JoinedSocket(accepted, () => areLate);
    far = new JoinedSocket(opened, () => areLate);
    near.begin(far);
    far.begin(near);
  });

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const server of servers.splice(0)) server.close();
  });

  it.each(['client', 'node'])('pass all bytes of the %s in order to a slow reader, which slows it down', async (from) => {
    const [sender, receiver] = sidesFrom(from);
    const [reading, writing] = from === 'client' ? [near, far] : [far, near];
    const pattern = randomBytes(PIECE + 1);
    let sent = 0;
    for (; sent < FLOOD; sent += pattern.length) sender.write(pattern);
    sender.end();
    await once(reading.socket, 'pause');
    expect(writing.socket.writableLength).toBeLessThan(512 * 1024);
    const all = await received(receiver);
    expect(all).toHaveLength(sent);
    for (let at = 0; at < sent; at += pattern.length) expect(all.subarray(at, at + pattern.length).equals(pattern)).toBe(true);
  });

  it.each(['client', 'node'])('pass the end of the %s, and what is still answered to it', async (from) => {
    const [sender, receiver] = sidesFrom(from);
    sender.end('the question');
    expect(String(await received(receiver))).toBe('the question');
    receiver.end('the answer');
    expect(String(await received(sender))).toBe('the answer');
    await expect.poll(() => client.closed && node.closed).toBe(true);
  });

  it.each(['client', 'node'])('break when the %s breaks', async (from) => {
    const [sender, receiver] = sidesFrom(from);
    sender.write('the beginning');
    await once(receiver, 'data');
    sender.resetAndDestroy();
    await once(receiver, 'end');
  });

  it.each(['client', 'node'])('end with late bytes of the %s, and pass none of them', async (from) => {
    const [sender, receiver] = sidesFrom(from);
    sender.write('in time');
    expect(String((await once(receiver, 'data'))[0])).toBe('in time');
    areLate = true;
    sender.write('too late');
    const [answered, passed] = await Promise.all([received(sender), received(receiver)]);
    expect([String(answered), String(passed)]).toEqual(['', '']);
  });
});
