import type { Context } from '@opentelemetry/api';
import type { HubProtocol } from '../protocol/hub-protocol.js';
import type { CallMessage } from '../protocol/messages.js';
import type { ReadingContext } from './connection-reading.js';
import type { ConnectionRequest } from './connection-request.js';
import type { Diagnostics } from './diagnostics.js';
import type { HubLogger } from './logger.js';
import type { Newcomers } from './newcomers.js';
import type { ReplayRoom } from './replay-room.js';
import type { UploadContext } from './uploads.js';

/** Who connected, and from where. */
export interface ConnectionFacts<User = unknown> {
  readonly connectionId: string;
  /** What the hub's authenticator returned. */
  readonly user: User;
  readonly userId: string | undefined;
  readonly remoteAddress: string | undefined;
  readonly calledHost?: string | undefined;
  readonly request: ConnectionRequest;
  /** When the connection ends because its authentication has expired, in milliseconds since 1970. Undefined: never. */
  readonly expiresAt?: number;
  /** Where the connection comes from, if it counts among the newcomers of that source until the program vouches for it. */
  readonly newcomerFrom?: string;
  /** What the connection is a part of, as its request said. Undefined when nobody wants to know. */
  readonly trace?: Context;
}

/** What a connection needs of the hub that it belongs to. */
export interface ConnectionHost<Connection> extends ReadingContext, UploadContext {
  readonly path: string;
  readonly logger: HubLogger;
  readonly newcomers: Newcomers;
  readonly replayRoom: ReplayRoom;
  /** The time of day in milliseconds since 1970. */
  readonly date: () => number;
  /** Undefined when nobody wants to know. */
  readonly diagnostics: Diagnostics | undefined;
  /** The protocol of this name. Undefined when the hub does not speak it. */
  findProtocol(name: string): HubProtocol | undefined;
  /** A new id for a call of the server. No client uses such an id for a stream. */
  nextInvocationId(): string;
  /** The handshake is done. If there is a promise, calls wait until it has settled. It never rejects. */
  connected(connection: Connection): Promise<void> | undefined;
  /** Carries out a call, and reports the end of its turn to the connection. Never throws. */
  dispatch(connection: Connection, message: CallMessage): void;
  /** A connection whose handshake was done has ended. `connected` is the promise of {@link connected} if it has not settled. */
  disconnected(connection: Connection, reason: string, connected: Promise<void> | undefined): void;
  /** The transport has ended. */
  forget(connection: Connection): void;
}
