import { randomUUID } from 'node:crypto';

import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type BeforeApplicationShutdown,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type pg from 'pg';

import { DatabaseError } from '../../common/errors/database-error.js';
import { messageOf } from '../../common/errors/errors.js';
import { ProcessExit } from '../../common/runtime/process-exit.js';
import { DatabaseConnection } from '../connection/database-connection.js';
import { ServiceLock } from '../locks/service-lock.js';
import { INVALIDATION_CHANNEL, Topic } from '../triggers/invalidation-topics.js';
import { connectListening, FirstListeningConnection, listeningClient } from './listening-connection.js';

const RECONNECT_DELAY_MS = 1_000;

/**
 * Interval, in milliseconds, at which the bus sends a message that it has to receive itself. A proxy may keep a connection open on which
 * nothing arrives any more, which neither TCP nor the driver notices.
 */
const HEARING_INTERVAL_MS = 1_500;
/**
 * Number of intervals without the bus's own message after which the connection counts as lost. One alone may be the fault of this process,
 * when it was busy.
 */
const MAXIMUM_UNHEARD = 2;
/** The channel of the messages that each bus sends to itself. */
const HEARING_CHANNEL = 'invalidation_hearing';

/** A cache that must forget values that were written elsewhere. */
export interface InvalidationListener {
  /** Forgets one key of a topic (`Topic`). */
  forget(topic: string, id: string): void;
  /** Forgets everything, because notifications may have been missed. */
  forgetAll(): void;
}

/** Gets the payload of a notification; null when notifications may have been missed. Must not throw. */
export type NotificationListener = (payload: string | null) => void;

/**
 * Announces writes to the caches of every node. Triggers notify with each write, so that cascades and the writes of other nodes are
 * announced too; the writing node forgets at once. While the listening connection is down or silent, caches must keep nothing.
 */
@Injectable()
export class InvalidationBus implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger('InvalidationBus');
  private readonly listeners: InvalidationListener[] = [];
  /** Listeners to channels of other news, which share the connection. */
  private readonly channels = new Map<string, NotificationListener>();
  private client: pg.Client | null = null;
  private retry: NodeJS.Timeout | null = null;
  /** The message that this bus sends to itself. */
  private readonly ownWord = randomUUID();
  private hearing: NodeJS.Timeout | undefined;
  private unheard = 0;
  private stopped = false;
  private connected = false;
  private isLossLogged = false;

  constructor(
    private readonly connection: DatabaseConnection,
    private readonly first: FirstListeningConnection,
    private readonly lock: ServiceLock,
    private readonly exit: ProcessExit,
  ) {}

  /** True if notifications arrive. Caches keep nothing while they do not. */
  get isListening(): boolean {
    return this.connected;
  }

  /** Adds a cache. */
  subscribe(listener: InvalidationListener): void {
    this.listeners.push(listener);
  }

  /** Listens to another channel over the same connection. Call it before the application has started. */
  listen(channel: string, listener: NotificationListener): void {
    this.channels.set(channel, listener);
  }

  /** Makes this node's caches forget keys (`<topic>:<id>`) at once. */
  forget(keys: Iterable<string>): void {
    for (const key of keys) {
      const separator = key.indexOf(':');
      const topic = key.slice(0, separator);
      if (topic === Topic.Tenant) this.forgetAll();
      else for (const listener of this.listeners) listener.forget(topic, key.slice(separator + 1));
    }
  }

  /** Makes this node's caches forget everything at once. */
  forgetAll(): void {
    for (const listener of this.listeners) listener.forgetAll();
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.listenOn(this.first.client);
  }

  beforeApplicationShutdown(): void {
    this.stopped = true;
    if (this.retry !== null) clearTimeout(this.retry);
    clearInterval(this.hearing);
  }

  /**
   * Closes the connection last, and releases the lock of the service with it: the writes of this stop come before those of the next
   * process.
   */
  async onApplicationShutdown(): Promise<void> {
    const { client } = this;
    this.client = null;
    this.connected = false;
    await client?.end();
  }

  /** Connects again, with the lock that went with the former connection. */
  private async listenAgain(): Promise<void> {
    const client = listeningClient(this.connection);
    client.on('error', (error) => this.lost(client, error));
    try {
      await connectListening(client, this.lock);
    } catch (error) {
      // Another process has taken the lock since: what this one does would harm it.
      if (error instanceof DatabaseError && !this.stopped) this.exit.now(error.message);
      else this.lost(client, error);
      return;
    }
    await this.listenOn(client);
  }

  private async listenOn(client: pg.Client): Promise<void> {
    client.on('error', (error) => this.lost(client, error));
    client.on('end', () => this.lost(client, 'It was closed.'));
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === INVALIDATION_CHANNEL) this.forget([payload]);
      else if (channel === HEARING_CHANNEL) this.hear(payload);
      else this.channels.get(channel)?.(payload);
    });
    try {
      const channels = [INVALIDATION_CHANNEL, HEARING_CHANNEL, ...this.channels.keys()];
      await client.query(channels.map((channel) => `LISTEN ${channel}`).join('; '));
    } catch (error) {
      this.lost(client, error);
      return;
    }
    if (this.stopped) {
      await client.end();
      return;
    }
    this.client = client;
    this.listenToItself(client);
    // Values that were cached before the connection was made may be stale.
    this.forgetAll();
    this.connected = true;
    for (const listener of this.channels.values()) listener(null);
    if (this.isLossLogged) this.logger.log('The connection for cache invalidation is back; caching resumes.');
    this.isLossLogged = false;
  }

  private hear(payload: string): void {
    if (payload === this.ownWord) this.unheard = 0;
  }

  private listenToItself(client: pg.Client): void {
    this.unheard = 0;
    this.hearing = setInterval(() => {
      if (this.unheard === MAXIMUM_UNHEARD) {
        this.lost(client, 'Nothing arrives on it any more.');
        return;
      }
      this.unheard += 1;
      client.query('SELECT pg_notify($1, $2)', [HEARING_CHANNEL, this.ownWord]).catch((error: unknown) => this.lost(client, error));
    }, HEARING_INTERVAL_MS).unref();
  }

  private lost(client: pg.Client, error: unknown): void {
    const wasCurrent = this.client === client;
    if (!wasCurrent && this.client !== null) return;
    clearInterval(this.hearing);
    this.connected = false;
    this.client = null;
    this.forgetAll();
    if (this.stopped || this.retry !== null) return;
    // Logged once, not at each attempt to reconnect.
    if (!this.isLossLogged) {
      this.logger.warn(`Lost the database connection for cache invalidation; nothing is cached until it is back. ${messageOf(error)}`);
    }
    this.isLossLogged = true;
    client.end().catch((failure: unknown) => this.logger.debug(`Closing the lost connection failed: ${String(failure)}`));
    this.retry = setTimeout(() => {
      this.retry = null;
      void this.listenAgain();
    }, RECONNECT_DELAY_MS);
  }
}
