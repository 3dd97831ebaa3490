import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SignalRServer } from '../../src/index.js';

/** An HTTP server without NestJS that serves the hubs of a SignalRServer on a free port. */
export interface PlainServer {
  readonly http: Server;
  readonly url: string;
  /** Ends the hubs, and then the server with its connections. */
  stop(): Promise<void>;
}

export async function startPlainServer(signalr: SignalRServer): Promise<PlainServer> {
  const http = createServer((request, response) => {
    if (!signalr.handleRequest(request, response)) response.writeHead(404).end();
  });
  signalr.attach(http);
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const stop = async (): Promise<void> => {
    await signalr.close();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  };
  return { http, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, stop };
}
