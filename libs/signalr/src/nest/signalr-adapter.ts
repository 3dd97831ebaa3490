import type { WebSocketAdapter } from '@nestjs/common';
import type { HubContext } from '../runtime/hub-context.js';
import type { HubOptions } from '../runtime/hub-options.js';
import type { SignalRServer } from '../signalr-server.js';
import type { GatewayBinder } from './gateway-binder.js';

interface GatewayOptions {
  readonly path?: string;
}

/**
 * Makes gateways hubs. Nest offers its adapters one set of handlers per connection; this one binds the gateway's methods
 * itself, once, when Nest asks for the server of a path, and leaves the per-connection hooks empty.
 */
export class SignalRAdapter implements WebSocketAdapter<HubContext> {
  readonly #options: ReadonlyMap<string, HubOptions>;

  constructor(
    private readonly server: SignalRServer,
    private readonly binder: GatewayBinder,
    hubs: readonly HubOptions[],
  ) {
    this.#options = new Map(hubs.map((options) => [options.path, options]));
  }

  /** Opens the hub of a gateway's path; what it returns is what `@WebSocketServer()` properties get. */
  create(port: number, options: GatewayOptions = {}): HubContext {
    if (port !== 0) throw new Error(`A gateway names port ${port}; hubs live on the port of the application.`);
    const { path } = options;
    if (path?.startsWith('/') !== true) throw new Error('A gateway needs a path: @WebSocketGateway({ path: "/hubs/chat" }).');
    this.binder.bind(this.server.addHub(this.#options.get(path) ?? { path }));
    return this.server.context(path);
  }

  bindClientConnect(): void {}

  bindMessageHandlers(): void {}

  close(): void {}

  /** Nest calls this when it closes; usually `SignalRModule` has closed the server before. */
  dispose(): Promise<void> {
    return this.server.close();
  }
}
