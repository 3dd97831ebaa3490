import type { WebSocketAdapter } from '@nestjs/common';
import type { HubContext } from '../runtime/hub/hub-context.js';
import type { HubOptions } from '../runtime/hub/hub-options.js';
import type { SignalRServer } from '../signalr-server.js';
import { routeKey } from '../transports/upgrade-router.js';
import type { GatewayBinder } from './gateway-binder.js';
import { nestError } from './nest-error.js';

interface GatewayOptions {
  readonly path?: string;
}

/**
 * Turns gateways into hubs. Nest would bind handlers again for each connection. This adapter binds the gateway's methods once, when Nest
 * asks for the server of a path, so the methods that Nest calls per connection do nothing.
 */
export class SignalRAdapter implements WebSocketAdapter<HubContext> {
  readonly #options: ReadonlyMap<string, HubOptions>;

  constructor(
    private readonly server: SignalRServer,
    private readonly binder: GatewayBinder,
    hubs: readonly HubOptions[],
  ) {
    this.#options = new Map(hubs.map((options) => [routeKey(options.path), options]));
  }

  /** Opens the hub at a gateway's path. @returns the value of `@WebSocketServer()` properties */
  create(port: number, options: GatewayOptions = {}): HubContext {
    if (port !== 0) throw new Error(`A gateway names port ${port}; hubs live on the port of the application.`);
    const { path } = options;
    if (path?.startsWith('/') !== true) throw new Error('A gateway needs a path: @WebSocketGateway({ path: "/hubs/chat" }).');
    this.binder.bind(this.server.addHub({ hubErrorOf: nestError, ...this.#options.get(routeKey(path)), path }));
    return this.server.context(path);
  }

  bindClientConnect(): void {}

  bindMessageHandlers(): void {}

  close(): void {}

  /** Nest calls this when it closes. Usually `SignalRModule` has closed the server before. */
  dispose(): Promise<void> {
    return this.server.close();
  }
}
