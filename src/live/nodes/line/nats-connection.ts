import {
  AuthorizationError,
  connect,
  type ConnectionOptions,
  type Msg,
  type NatsConnection,
  nkeyAuthenticator,
  PermissionViolationError,
} from '@nats-io/transport-node';

import type { Settings } from '../../../platform/config/settings.js';

const CONNECT_TIMEOUT_MS = 3_000;
const PING_INTERVAL_MS = 2_000;
const MAXIMUM_SILENT_PINGS = 2;
const RECONNECT_PAUSE_MS = 200;
const NO_RESPONDERS = 503;

/** Access to NATS. */
export interface NatsOptions {
  /** Addresses such as `tls://nats-1:4222`. */
  readonly servers: readonly string[];
  /** Seed of an nkey; null with a user and a password, or without either. */
  readonly seed: string | null;
  readonly user: { readonly name: string; readonly password: string } | null;
  /** Certificates (PEM) of the authorities that NATS' own is from; null for those of Node.js. */
  readonly ca: string | null;
  /** Name of the connection, which NATS' own monitoring shows. */
  readonly name: string;
}

export type { Msg, NatsConnection };

/** The access that the options of the service describe. */
export function natsOptionsOf({ nodes }: Pick<Settings, 'nodes'>, name: string): NatsOptions {
  const { nats, natsSeed, natsUser, natsPassword, natsCaFile } = nodes;
  return {
    servers: nats,
    seed: natsSeed === '' ? null : natsSeed,
    user: natsUser === '' ? null : { name: natsUser, password: natsPassword },
    ca: natsCaFile.pem === '' ? null : natsCaFile.pem,
    name,
  };
}

/** A connection that finds its way back by itself. Only this file knows how to connect, and nothing loads it in a service of one node. */
export function connectToNats(options: NatsOptions): Promise<NatsConnection> {
  return connect({
    ...accessOf(options),
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: MAXIMUM_SILENT_PINGS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_PAUSE_MS,
    reconnectJitter: RECONNECT_PAUSE_MS,
    // A server whose keys are being replaced takes the right one later.
    ignoreAuthErrorAbort: true,
  });
}

/** A connection to one server that ends when the server does. */
export function visitNats(options: NatsOptions, server: string): Promise<NatsConnection> {
  return connect({ ...accessOf({ ...options, servers: [server] }), reconnect: false, ignoreClusterUpdates: true });
}

/** True if NATS does not know the key, or the user and the password. */
export const isUnknownKey = (error: unknown): boolean => error instanceof AuthorizationError;

/** The sentence about a subject that NATS does not permit; null for another error. */
export function refusedSubject(error: unknown): string | null {
  if (!(error instanceof PermissionViolationError)) return null;
  return `NATS does not permit this node to ${error.operation === 'publish' ? 'publish' : 'subscribe to'} ${error.subject}.`;
}

/** True for the word of NATS that nobody has received a message. */
export const isNobody = ({ data, headers }: Msg): boolean => data.length === 0 && headers?.code === NO_RESPONDERS;

function accessOf({ servers, seed, user, ca, name }: NatsOptions): ConnectionOptions {
  return {
    servers: [...servers],
    name,
    timeout: CONNECT_TIMEOUT_MS,
    ...(seed === null ? {} : { authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)) }),
    ...(user === null ? {} : { user: user.name, pass: user.password }),
    ...(ca === null ? {} : { tls: { ca } }),
  };
}
