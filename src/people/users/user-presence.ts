import { setTimeout as delay } from 'node:timers/promises';

import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { messageOf } from '../../platform/common/errors/errors.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { ServerNode } from '../../platform/node/server-node.js';

/** Delay before a failed write is tried again. */
const RETRY_DELAY_MS = 1_000;

const REMOVE_OTHERS = 'DELETE FROM user_presences WHERE node_id = $1 AND user_id <> ALL($2::uuid[])';
const ADD_NEW = `
  INSERT INTO user_presences (user_id, node_id) SELECT id, $1 FROM users WHERE id = ANY($2::uuid[])
  ON CONFLICT DO NOTHING`;
const NOTE_LOGINS = 'UPDATE users SET last_login = $2 WHERE id = ANY($1::uuid[])';

/**
 * The users who are online, which means that they have a viewer connection to at least one node. Each node writes its own users.
 *
 * A write stores all users who are online at that moment, not the changes. So one write is enough for everything that happened
 * during the last one, and the next write makes up for a failed one.
 */
@Injectable()
export class UserPresence implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('UserPresence');
  /** The number of open viewer connections to this node, by user id. */
  private readonly connections = new Map<string, number>();
  /** Users who have signed in since the last write. */
  private arrivals = new Set<string>();
  private isDue = false;
  private hasFailed = false;
  private writing: Promise<void> | null = null;
  private readonly stopping = new AbortController();

  constructor(
    private readonly node: ServerNode,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Removes the users that an earlier run of this node left behind. A starting node has no connections. */
  async onModuleInit(): Promise<void> {
    await this.dataSource.query(REMOVE_OTHERS, [this.node.id, []]);
  }

  /** Removes this node's users. When the database fails they stay until the next start, or until another node finds this one gone. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.writing;
    try {
      await this.dataSource.query(REMOVE_OTHERS, [this.node.id, []]);
    } catch (error) {
      this.logger.warn(`The online users of this node could not be removed: ${messageOf(error)}`);
    }
  }

  /** Notes that a user opened a viewer connection, which also counts as a sign-in. */
  arrived(userId: string): void {
    this.connections.set(userId, (this.connections.get(userId) ?? 0) + 1);
    this.arrivals.add(userId);
    this.writeSoon();
  }

  /** Notes that a viewer connection of a user ended. */
  left(userId: string): void {
    const remaining = (this.connections.get(userId) ?? 0) - 1;
    if (remaining > 0) this.connections.set(userId, remaining);
    else this.connections.delete(userId);
    this.writeSoon();
  }

  /** Checks that a user has a viewer connection to any node. */
  async isOnline(userId: string): Promise<boolean> {
    return (await this.dataSource.query<object[]>('SELECT 1 FROM user_presences WHERE user_id = $1 LIMIT 1', [userId])).length > 0;
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
        // One line for an outage, however long it lasts.
        if (!this.hasFailed) this.logger.warn(`The online users could not be written; this is tried again: ${messageOf(error)}`);
        this.hasFailed = true;
        this.arrivals = new Set([...arrivals, ...this.arrivals]);
        this.isDue = true;
        await this.pause();
      }
    }
    this.writing = null;
  }

  /** Waits before the next try; ends early when the service stops. */
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
