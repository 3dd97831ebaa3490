import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { hubMethod, SignalRServer, wire } from '#libs/signalr';

import { serveCalls } from '../harness/serve-calls.js';

/*
 * A hub of libs/signalr with one method, which returns its argument. It is what goal 19 measures: not the service, which does more
 * for each call.
 */

const server = createServer();
const signalR = new SignalRServer();
signalR.addHub({ path: '/hub' }).method(hubMethod('Echo', [wire.text], wire.text), ({ args: [text] }) => text);
signalR.attach(server);

const calls = {
  async start(): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  },
};

export type EchoHubCalls = typeof calls;
serveCalls(calls);
