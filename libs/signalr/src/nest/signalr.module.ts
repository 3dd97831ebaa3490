import { type BeforeApplicationShutdown, type DynamicModule, Inject, Injectable, Logger, Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { SignalRServer } from '../signalr-server.js';
import { DeferredHubContext } from '../runtime/hub/deferred-hub-context.js';
import { UpgradeRouter } from '../transports/upgrade-router.js';
import { hubToken } from './decorators.js';
import { GatewayBinder } from './gateway-binder.js';

/**
 * Holds the server, which does not exist yet when providers that use it are made. A provider that ends the hubs before the module does
 * closes it.
 */
@Injectable()
export class SignalRHost {
  /** The paths of the hubs with options of their own. */
  paths: readonly string[] = [];
  #server: SignalRServer | undefined;

  get server(): SignalRServer {
    if (this.#server === undefined) throw new Error('There are no hubs yet: call configureSignalR(app) before app.init() or app.listen().');
    return this.#server;
  }

  set server(server: SignalRServer) {
    if (this.#server !== undefined) throw new Error('configureSignalR was called already.');
    this.#server = server;
  }

  /** The number of connections of all hubs. */
  get size(): number {
    return this.#server?.size ?? 0;
  }

  /** @throws Error when options name a hub that is not there: without them, a hub of almost the same path would admit everybody */
  checkPaths(): void {
    for (const path of this.paths) {
      if (!this.server.has(path)) throw new Error(`No gateway has the path '${path}', for which there are options.`);
    }
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }
}

function makeUpgradeRouter(): UpgradeRouter {
  const logger = new Logger(UpgradeRouter.name);
  return new UpgradeRouter({ onError: (error) => logger.error(error) });
}

/** The hubs of an application. */
@Module({
  imports: [DiscoveryModule],
  providers: [SignalRHost, GatewayBinder, { provide: UpgradeRouter, useFactory: makeUpgradeRouter }],
  exports: [SignalRHost, UpgradeRouter],
})
export class SignalRModule implements OnModuleInit, BeforeApplicationShutdown {
  constructor(@Inject(SignalRHost) private readonly host: SignalRHost) {}

  /** Lets every provider inject the `HubContext` of these paths with `@InjectHub(path)`. */
  static forHubs(...paths: string[]): DynamicModule {
    const contexts = paths.map((path) => ({
      provide: hubToken(path),
      inject: [SignalRHost],
      useFactory: (host: SignalRHost) => new DeferredHubContext(() => host.server.runningHub(path)),
    }));
    return { module: HubContexts, global: true, imports: [SignalRModule], providers: contexts, exports: [...contexts, SignalRModule] };
  }

  /** Nest has bound all gateways by now. */
  onModuleInit(): void {
    this.host.checkPaths();
  }

  /** Closes the hubs in this step, because in the next one Nest waits for all sockets to close by themselves. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.host.close();
  }
}

@Module({})
class HubContexts {}
