import type { IncomingMessage, ServerResponse } from 'node:http';
import { type INestApplication, Logger } from '@nestjs/common';
import type { HubOptions } from '../runtime/hub/hub-options.js';
import { SignalRServer, type SignalRServerOptions } from '../signalr-server.js';
import { UpgradeRouter } from '../transports/upgrade-router.js';
import { GatewayBinder } from './gateway-binder.js';
import { SignalRAdapter } from './signalr-adapter.js';
import { SignalRHost } from './signalr.module.js';

export interface SignalROptions extends Omit<SignalRServerOptions, 'upgrades'> {
  /** Options of the hubs that deviate from the defaults. Each names its hub by `path`. */
  readonly hubs?: readonly HubOptions[];
}

/**
 * Serves the application's gateways as SignalR hubs. Call it once, before `app.init()` or `app.listen()`, and after adding the middleware
 * that requests of clients should pass, such as CORS; middleware that reads bodies or compresses answers comes later. The application must
 * import `SignalRModule`.
 */
export function configureSignalR(app: INestApplication, { hubs = [], ...options }: SignalROptions = {}): SignalRServer {
  const find = { strict: false };
  const upgrades = app.get(UpgradeRouter, find);
  const server = new SignalRServer({ logger: new Logger('SignalR'), ...options, upgrades });
  const host = app.get(SignalRHost, find);
  host.server = server;
  host.paths = hubs.map(({ path }) => path);
  server.attach(app.getHttpServer());
  app.use((request: IncomingMessage, response: ServerResponse, next: () => void) => {
    if (!server.handleRequest(request, response)) next();
  });
  app.useWebSocketAdapter(new SignalRAdapter(server, app.get(GatewayBinder, find), hubs));
  return server;
}
