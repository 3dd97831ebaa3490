import type { Context } from '@opentelemetry/api';
import type { HubProtocol } from '../../protocol/hub-protocol.js';
import type { CallMessage } from '../../protocol/messages.js';
import type { ReadingContext } from './connection-reading.js';
import type { ConnectionRequest } from './connection-request.js';
import type { Diagnostics } from '../diagnostics.js';
import type { HubLogger } from '../logger.js';
import type { UnauthenticatedConnections } from '../limits/unauthenticated-connections.js';
import type { ReplayRoom } from '../limits/replay-room.js';
import type { UploadContext } from '../streams/uploads.js';

/** The client of a connection, its address and its request. */
export interface ConnectionFacts<User = unknown> {
  readonly connectionId: string;
  /** The value that the hub's authenticator returned. */
  readonly user: User;
  readonly userId: string | undefined;
  readonly remoteAddress: string | undefined;
  readonly calledHost?: string | undefined;
  readonly request: ConnectionRequest;
  /** The time at which the connection ends because its authentication has expired, in milliseconds since 1970. Undefined: never. */
  readonly expiresAt?: number;
  /** The source of an unauthenticated connection. It counts there until the program vouches for it. */
  readonly unauthenticatedSource?: string;
  /** The trace that the connection belongs to, as its request said. Undefined without diagnostics. */
  readonly trace?: Context;
}

/** The parts of a hub that its connections need. */
export interface ConnectionHost<Connection> extends ReadingContext, UploadContext {
  readonly path: string;
  readonly logger: HubLogger;
  readonly unauthenticated: UnauthenticatedConnections;
  readonly replayRoom: ReplayRoom;
  /** The time of day in milliseconds since 1970. */
  readonly date: () => number;
  /** Undefined without an OpenTelemetry SDK. */
  readonly diagnostics: Diagnostics | undefined;
  /** The protocol of this name. Undefined when the hub does not speak it. */
  findProtocol(name: string): HubProtocol | undefined;
  /** A new id for a call of the server. No client uses such an id for a stream. */
  nextInvocationId(): string;
  /** The handshake is done. If there is a promise, calls wait until it has settled. It never rejects. */
  connected(connection: Connection): Promise<void> | undefined;
  /** Carries out a call that arrived then, and reports the end of its turn to the connection. Never throws. */
  dispatch(connection: Connection, message: CallMessage, arrivedAt: number): void;
  /** A connection whose handshake was done has ended, perhaps within {@link connected}. */
  disconnected(connection: Connection, reason: string): void;
  /** The transport has ended. */
  forget(connection: Connection): void;
}
