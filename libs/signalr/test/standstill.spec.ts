import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type HubConnection as ClientConnection, HttpTransportType } from '@microsoft/signalr';
import { clientMethod, hubMethod, SignalRServer, wire } from '../src/index.js';
import { eventually } from './support/eventually.js';
import { type PlainServer, startPlainServer } from './support/plain-server.js';
import { buildClient } from './support/running-hubs.js';

const PATH = '/hubs/standstill';
const LONGEST_MS = 60_000;
const { WebSockets, ServerSentEvents, LongPolling } = HttpTransportType;
const WAYS = [
  { over: 'a WebSocket', transport: WebSockets },
  { over: 'server-sent events', transport: ServerSentEvents },
  { over: 'long polling', transport: LongPolling },
];
const note = clientMethod('Note', [wire.text]);

describe.each(WAYS)('a process that stands still before its messages leave over $over', ({ transport }) => {
  let signalr: SignalRServer;
  let server: PlainServer;
  let client: ClientConnection;
  let noted: string[];

  beforeEach(async () => {
    // Adds a standstill to the clock of the process.
    let stoodStill = 0;
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + stoodStill);

    signalr = new SignalRServer({ closeGraceMs: 50 });
    const hub = signalr.addHub({ path: PATH, limits: { longestPauseMs: LONGEST_MS } });
    const clients = signalr.context(PATH);
    hub.method(hubMethod('NoteTwice', [wire.number, wire.number]), ({ connection: { connectionId }, args: [milliseconds, waited] }) => {
      const since = performance.now() - waited;
      // A socket that is alone may send its first message at once.
      for (const text of ['first', 'second']) clients.client(connectionId).send(note, [text], { since });
      stoodStill += milliseconds;
    });
    server = await startPlainServer(signalr);

    noted = [];
    client = buildClient(server.url + PATH, { transport });
    client.on('Note', (text: string) => noted.push(text));
    await client.start();
  });

  afterEach(async () => {
    await client.stop();
    await server.stop();
    vi.restoreAllMocks();
  });

  it('sends them when it has stood still for no longer than it may', async () => {
    await client.invoke('NoteTwice', LONGEST_MS - 10_000, 0);
    expect(noted).toEqual(['first', 'second']);
  });

  it.each([
    { standstill: LONGEST_MS + 1, waited: 0 },
    { standstill: LONGEST_MS / 2, waited: LONGEST_MS / 2 + 1 },
  ])('ends the connection without them after $standstill ms when they had waited for $waited ms', async ({ standstill, waited }) => {
    const closed = new Promise((resolve) => client.onclose(resolve));
    await expect(client.invoke('NoteTwice', standstill, waited)).rejects.toThrow();
    await closed;
    await eventually('the hub has forgotten the client', () => signalr.hub(PATH).size === 0);
    expect(noted).not.toContain('second');
  });
});
