import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Body, Controller, Get, Module, Post, Query } from '@nestjs/common';

import { AllowAnonymous } from '../../../src/access/authorization/guard/access.js';
import { MAXIMUM_PIPELINES } from '../../../src/platform/http/connections/pipelines.js';
import { eventually, settled } from '../../support/eventually.js';
import { testServer } from '../../support/setup/test-server.js';

/*
 * An anonymous client sends thousands of requests on one connection without waiting for answers. Served as they come, they would all be
 * under way together: they would fill the memory, and everybody else would wait until the last of them is done.
 */

/** Bytes far beyond those that the network between client and server holds. */
const FLOOD_BYTES = 16 * 1024 * 1024;
/** Most bytes read by a server that stops when its first 64 KiB have brought more than one request and the next has filled its buffer. */
const MOST_BYTES_READ = 192 * 1024;

/** The requests that wait in the gate, and the most that have ever done so together. */
const gate = { isShut: false, waiting: new Set<() => void>(), most: 0 };

function openGate(): void {
  gate.isShut = false;
  for (const leave of gate.waiting) leave();
}

@Controller('api/attacks')
class GateController {
  @Get('gate')
  @AllowAnonymous()
  async pass(@Query() query: object): Promise<object> {
    await this.wait();
    return query;
  }

  @Post('gate')
  @AllowAnonymous()
  async post(@Body() body: object): Promise<object> {
    await this.wait();
    return body;
  }

  private async wait(): Promise<void> {
    let leave: () => void = () => undefined;
    const left = new Promise<void>((resolve) => (leave = resolve));
    gate.waiting.add(leave);
    gate.most = Math.max(gate.most, gate.waiting.size);
    if (gate.isShut) await left;
    // Others that the server has begun get to the gate, too.
    else await new Promise((resolve) => setImmediate(resolve));
    gate.waiting.delete(leave);
  }
}

@Module({ controllers: [GateController] })
class GateModule {}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const numbered = (count: number): string => Array.from({ length: count }, (_, index) => get(`/api/attacks/gate?number=${index}`)).join('');

describe('requests that do not wait for answers', () => {
  const server = testServer({}, [GateModule]);
  const sockets: Socket[] = [];

  beforeEach(() => {
    Object.assign(gate, { isShut: false, most: 0 });
  });
  afterEach(() => {
    openGate();
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  /** A connection of a client, with all that came on it and the socket at the server's side. */
  async function open(): Promise<{ readonly client: Socket; readonly received: () => string; readonly server: Socket }> {
    const { port, hostname } = new URL(server.url);
    const http: Server = server.app.getHttpServer();
    const accepted = once(http, 'connection') as Promise<[Socket]>;
    const client = connect(Number(port), hostname);
    sockets.push(client);
    // One that is cut off may be reset.
    client.on('error', () => undefined);
    let received = '';
    client.setEncoding('latin1').on('data', (text: string) => (received += text));
    return { client, received: () => received, server: (await accepted)[0] };
  }

  it('are served one after the other, and answered in their order', async () => {
    const { client, received } = await open();
    client.write(numbered(500));
    await eventually('all are answered', () => received().includes('{"number":"499"}'));
    expect(gate.most).toBe(1);
    const numbers = [...received().matchAll(/\{"number":"(\d+)"\}/g)].map(([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: 500 }, (_, index) => index));
  });

  it('are not read on while they wait', async () => {
    gate.isShut = true;
    const { client, server: socket } = await open();
    client.write(numbered(FLOOD_BYTES / numbered(1).length));
    await eventually('the first one is under way', () => gate.waiting.size === 1);
    expect(await settled('what the server has read', () => socket.bytesRead)).toBeLessThan(MOST_BYTES_READ);
  });

  it('keep their bodies', async () => {
    const { client, received } = await open();
    const bodies = Array.from({ length: 20 }, (_, index) => JSON.stringify({ number: index, text: 'x'.repeat(10_000) }));
    const heads = (body: string): string =>
      `POST /api/attacks/gate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    client.write(bodies.map(heads).join(''));
    await eventually('all are answered', () => received().includes('{"number":19,'));
    for (const body of bodies) expect(received()).toContain(body);
  });

  it('let other connections have their turn', async () => {
    const { client, received } = await open();
    const count = 1_500;
    client.write(get('/alive').repeat(count));
    await eventually('the first one is answered', () => received() !== '');
    expect((await server.client({}).get('/alive')).status).toBe(200);
    expect(received().split('HTTP/1.1 200').length - 1).toBeLessThan(count / 2);
    await eventually('all are answered', () => received().split('HTTP/1.1 200').length - 1 === count);
  });

  it('are cut off when they wait on too many connections, and leave room when they are gone', async () => {
    gate.isShut = true;
    const connections: Awaited<ReturnType<typeof open>>[] = [];
    while (connections.length <= MAXIMUM_PIPELINES) connections.push(await open());
    for (const { client } of connections) client.write(numbered(2));
    await eventually('one is cut off', () => connections.some(({ client }) => client.closed));
    expect((await server.client({}).get('/alive')).status).toBe(200);
    expect(connections.filter(({ client }) => client.closed)).toHaveLength(1);

    for (const { client } of connections) client.destroy();
    openGate();
    await eventually('all are gone', () => connections.every(({ server: socket }) => socket.closed));
    const { client, received } = await open();
    client.write(get('/alive').repeat(1_500));
    await eventually('all are answered', () => received().split('HTTP/1.1 200').length - 1 === 1_500);
  });

  it('end the connection with an upgrade that comes before their answers', async () => {
    gate.isShut = true;
    const { client, received } = await open();
    const upgrade = 'GET /hubs/agent HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
    client.write(`${numbered(2)}${upgrade}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`);
    await eventually('the first one is under way', () => gate.waiting.size === 1);
    openGate();
    await eventually('the connection is closed', () => client.closed);
    expect(received()).not.toContain('101');
  });
});
