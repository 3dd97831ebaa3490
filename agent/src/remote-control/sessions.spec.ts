import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { Desktops } from '../desktop/desktops.js';
import { noXServer, XServer } from '../desktop/x-server.fixture.js';
import { MemoryLog } from '../hub-stub.fixture.js';
import { until } from '../waiting.fixture.js';
import { RemoteControlSessions } from './sessions.js';
import { XConnection } from './x11/x-connection.js';

const suite = noXServer === undefined ? describe : describe.skip;

suite(`sessions of a device${noXServer === undefined ? '' : ` (skipped: ${noXServer})`}`, () => {
  let x: XServer;
  let screen: XConnection;
  const relay = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const agentStops = new AbortController();
  const log = new MemoryLog();
  let sessions: RemoteControlSessions;

  beforeAll(async () => {
    x = await XServer.start('1280x720');
    screen = await XConnection.open(x.name, () => undefined);
    const display = { number: x.number, processId: x.processId, isWithinWayland: false, user: undefined, authorityFile: undefined };
    const serverUri = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
    sessions = new RemoteControlSessions(new Desktops(async () => [display]), serverUri, log, agentStops.signal);
  });

  afterAll(async () => {
    agentStops.abort();
    await until(() => ended() === 3 || undefined);
    relay.close();
    await screen.close();
    await x.stop();
  });

  const ended = (): number => log.lines.filter((line) => line.includes(' ended (exit code 0)')).length;

  /** Begins a session of which the person is told, and returns the viewer's end of its connection. */
  async function begin(): Promise<WebSocket> {
    const [[viewer]] = await Promise.all([
      once(relay, 'connection') as Promise<[WebSocket]>,
      sessions.start({
        sessionId: randomUUID(),
        websocketUri: 'ws://127.0.0.1/relay',
        targetSystemSession: x.number,
        targetProcessId: x.processId,
        deviceId: randomUUID(),
        notifyUserOnSessionStart: true,
        requireConsent: false,
        viewerConnectionId: null,
        viewerName: 'Anna',
      }),
    ]);
    return viewer;
  }

  /** Heights at which windows stand on the screen. */
  async function heights(): Promise<readonly number[]> {
    const { client, root } = screen;
    const { children } = await screen.ask<{ readonly children: readonly number[] }>((reply) => client.QueryTree(root, reply));
    const places = await Promise.all(
      children.map(async (window) =>
        screen.ask<{ readonly width: number; readonly yPos: number }>((reply) => client.GetGeometry(window, reply)),
      ),
    );
    return places.flatMap(({ width, yPos }) => (width > 100 ? yPos : []));
  }

  it('have a notice each that no other one covers', async () => {
    const first = await begin();
    await expect.poll(async () => (await heights()).length).toBe(1);
    await begin();
    await expect.poll(async () => (await heights()).length).toBe(2);
    first.close();
    await expect.poll(ended).toBe(1);
    await begin();
    await expect.poll(async () => new Set(await heights()).size).toBe(2);
  });
});
