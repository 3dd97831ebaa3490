import { setTimeout as delay } from 'node:timers/promises';

import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { Clock } from '../common/clock.js';
import { messageOf } from '../common/errors.js';
import { ServerNode } from '../server/server-node.js';

/** How long a write waits before it is tried again after the database failed. */
const RETRY_DELAY_MS = 1_000;

const REMOVE_OTHERS = 'DELETE FROM user_presences WHERE node_id = $1 AND user_id <> ALL($2::uuid[])';
const ADD_NEW = `
  INSERT INTO user_presences (user_id, node_id) SELECT id, $1 FROM users WHERE id = ANY($2::uuid[])
  ON CONFLICT DO NOTHING`;
const NOTE_LOGINS = 'UPDATE users SET last_login = $2 WHERE id = ANY($1::uuid[])';

/**
 * Which users are online: those with at least one viewer connection, to whichever node. Comings and goings that happen
 * while a write runs are written together by the next one, which writes who is there and not what changed: one that fails
 * is made good by the one after it.
 */
@Injectable()
export class UserPresence implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('UserPresence');
  /** The open connections of each user to this node. */
  private readonly connections = new Map<string, number>();
  private arrivals = new Set<string>();
  private isDue = false;
  /** Whether the last write failed. */
  private hasFailed = false;
  private writing: Promise<void> | null = null;
  private readonly stopping = new AbortController();

  constructor(
    private readonly node: ServerNode,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Nobody is connected to a node that starts, whatever its former run left behind. */
  async onModuleInit(): Promise<void> {
    await this.dataSource.query(REMOVE_OTHERS, [this.node.id, []]);
  }

  /** Without a database the rows stay until the next start, or until another node takes this one for gone. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.writing;
    try {
      await this.dataSource.query(REMOVE_OTHERS, [this.node.id, []]);
    } catch (error) {
      this.logger.warn(`Who was online could not be removed: ${messageOf(error)}`);
    }
  }

  /** A user opened a viewer connection, which counts as a sign-in. */
  arrived(userId: string): void {
    this.connections.set(userId, (this.connections.get(userId) ?? 0) + 1);
    this.arrivals.add(userId);
    this.writeSoon();
  }

  /** A viewer connection of a user ended. */
  left(userId: string): void {
    const remaining = (this.connections.get(userId) ?? 0) - 1;
    if (remaining > 0) this.connections.set(userId, remaining);
    else this.connections.delete(userId);
    this.writeSoon();
  }

  private writeSoon(): void {
    this.isDue = true;
    this.writing ??= this.writeWhileDue();
  }

  private async writeWhileDue(): Promise<void> {
    while (this.isDue && !this.stopping.signal.aborted) {
      this.isDue = false;
      const { arrivals } = this;
      this.arrivals = new Set();
      try {
        await this.write([...this.connections.keys()], [...arrivals]);
        this.hasFailed = false;
      } catch (error) {
        // Once for an outage, however long it lasts.
        if (!this.hasFailed) this.logger.warn(`Who is online could not be written and will be again: ${messageOf(error)}`);
        this.hasFailed = true;
        this.arrivals = new Set([...arrivals, ...this.arrivals]);
        this.isDue = true;
        await this.pause();
      }
    }
    this.writing = null;
  }

  /** Ends early when the service stops. */
  private async pause(): Promise<void> {
    const { signal } = this.stopping;
    await delay(RETRY_DELAY_MS, undefined, { signal }).catch(() => undefined);
  }

  private async write(online: readonly string[], arrivals: readonly string[]): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await manager.query(REMOVE_OTHERS, [this.node.id, online]);
      await manager.query(ADD_NEW, [this.node.id, online]);
      if (arrivals.length > 0) await manager.query(NOTE_LOGINS, [arrivals, this.clock.now()]);
    });
  }
}
