import type { AddressInfo } from 'node:net';
import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { type HubConnection as ClientConnection, HubConnectionBuilder, HttpTransportType, LogLevel } from '@microsoft/signalr';
import { MessagePackHubProtocol } from '@microsoft/signalr-protocol-msgpack';
import type { SignalRServer } from '../../src/index.js';
import { configureSignalR, type SignalROptions } from '../../src/nest/index.js';

/** A Nest application with hubs, listening on a free port. */
export interface RunningHubs {
  readonly app: INestApplication;
  readonly server: SignalRServer;
  readonly url: string;
}

const quiet = { debug: () => undefined, warn: () => undefined, error: () => undefined };

export async function startHubs(metadata: ModuleMetadata, options: SignalROptions = {}): Promise<RunningHubs> {
  const module = await Test.createTestingModule(metadata).compile();
  const app = module.createNestApplication({ logger: false });
  const server = configureSignalR(app, { logger: quiet, ...options });
  await app.listen(0, '127.0.0.1');
  const { port }: AddressInfo = app.getHttpServer().address();
  return { app, server, url: `http://127.0.0.1:${port}` };
}

export interface ClientOptions {
  readonly encoding?: 'json' | 'messagepack';
  readonly transport?: HttpTransportType;
  readonly skipNegotiation?: boolean;
  /** Asks for stateful reconnect, and keeps up to so many bytes until the server has acknowledged them; true for the default. */
  readonly statefulReconnect?: number | true;
  readonly reconnectDelays?: number[];
  readonly headers?: Record<string, string>;
}

/** An official client; not started. */
export function buildClient(url: string, options: ClientOptions = {}): ClientConnection {
  const builder = new HubConnectionBuilder()
    .withUrl(url, {
      transport: options.transport ?? HttpTransportType.WebSockets,
      skipNegotiation: options.skipNegotiation ?? false,
      headers: options.headers ?? {},
    })
    .configureLogging(LogLevel.None);
  if (options.encoding === 'messagepack') builder.withHubProtocol(new MessagePackHubProtocol());
  const { statefulReconnect } = options;
  if (statefulReconnect === true) builder.withStatefulReconnect();
  else if (statefulReconnect !== undefined) builder.withStatefulReconnect({ bufferSize: statefulReconnect });
  if (options.reconnectDelays !== undefined) builder.withAutomaticReconnect(options.reconnectDelays);
  return builder.build();
}
