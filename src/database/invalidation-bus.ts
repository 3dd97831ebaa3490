import { Injectable, Logger, type OnApplicationBootstrap, type BeforeApplicationShutdown } from '@nestjs/common';
import pg from 'pg';

import { messageOf } from '../common/errors.js';
import { DatabaseConnection } from './database-connection.js';

/** The channel that database triggers and services notify on; payload `<topic>:<id>`. */
export const INVALIDATION_CHANNEL = 'invalidation';

const RECONNECT_DELAY_MS = 1_000;

/**
 * How long the listening connection may be silent before TCP asks whether the other end is there. Nothing else would: it
 * only ever receives, and a connection that died unnoticed lets revoked rights live on in the caches.
 */
const PROBE_AFTER_MS = 15_000;

/** A cache that must forget what others wrote. */
export interface InvalidationListener {
  /** Forgets one key. */
  forget(topic: string, id: string): void;
  /** Forgets everything: notifications may have been missed. */
  forgetAll(): void;
}

/**
 * Carries "this was written" to the caches of every node. Triggers notify with each write, so that cascades and other
 * nodes are heard; the writing node forgets at once. While the listening connection is down nothing may be kept.
 */
@Injectable()
export class InvalidationBus implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('InvalidationBus');
  private readonly listeners: InvalidationListener[] = [];
  private client: pg.Client | null = null;
  private retry: NodeJS.Timeout | null = null;
  private stopped = false;
  private connected = false;
  private isLossLogged = false;

  constructor(private readonly connection: DatabaseConnection) {}

  /** Whether notifications arrive; caches keep nothing while they do not. */
  get isListening(): boolean {
    return this.connected;
  }

  /** Adds a cache. */
  subscribe(listener: InvalidationListener): void {
    this.listeners.push(listener);
  }

  /** Lets this node's caches forget keys (`<topic>:<id>`) at once. */
  forget(keys: Iterable<string>): void {
    for (const key of keys) {
      const separator = key.indexOf(':');
      for (const listener of this.listeners) listener.forget(key.slice(0, separator), key.slice(separator + 1));
    }
  }

  /** Lets this node's caches forget everything at once. */
  forgetAll(): void {
    for (const listener of this.listeners) listener.forgetAll();
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.listen();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    if (this.retry !== null) clearTimeout(this.retry);
    await this.close();
  }

  private async listen(): Promise<void> {
    const client = new pg.Client({
      ...this.connection.config,
      application_name: 'device-management invalidations',
      keepAlive: true,
      keepAliveInitialDelayMillis: PROBE_AFTER_MS,
    });
    client.on('error', (error) => this.lost(client, error));
    client.on('end', () => this.lost(client, 'It was closed.'));
    client.on('notification', ({ payload }) => this.forget([payload ?? '']));
    try {
      await client.connect();
      await client.query(`LISTEN ${INVALIDATION_CHANNEL}`);
    } catch (error) {
      this.lost(client, error);
      return;
    }
    if (this.stopped) {
      await client.end();
      return;
    }
    this.client = client;
    // What was kept before the connection stood may be stale.
    this.forgetAll();
    this.connected = true;
    if (this.isLossLogged) this.logger.log('Writes are heard of again.');
    this.isLossLogged = false;
  }

  private lost(client: pg.Client, error: unknown): void {
    const wasCurrent = this.client === client;
    if (!wasCurrent && this.client !== null) return;
    this.connected = false;
    this.client = null;
    this.forgetAll();
    if (this.stopped || this.retry !== null) return;
    // Once, and not at each attempt to be back.
    if (!this.isLossLogged) {
      this.logger.warn(`Lost the connection that hears of writes; nothing is cached until it is back. ${messageOf(error)}`);
    }
    this.isLossLogged = true;
    client.end().catch((failure: unknown) => this.logger.debug(`Closing the lost connection failed: ${String(failure)}`));
    this.retry = setTimeout(() => {
      this.retry = null;
      void this.listen();
    }, RECONNECT_DELAY_MS);
  }

  private async close(): Promise<void> {
    const client = this.client;
    this.client = null;
    this.connected = false;
    await client?.end();
  }
}
