import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { Clock } from '../common/clock.js';
import { messageOf } from '../common/errors.js';
import { codeOf } from '../common/system-error.js';
import { Settings } from '../config/settings.js';
import type { ReportsDataSource } from '../database/reserved-data-source.js';

/** How often a node reports that it lives. */
const REPORT_INTERVAL_MS = 10_000;
/** A node that has not reported for this long counts as gone, and its devices as offline. */
const GONE_AFTER_MS = 60_000;
const ID_FILE = 'node-id';
const ID_BYTES = 9;
const ID_FORM = /^[\w-]{6,40}$/;

/**
 * This process as a node of the service. Its id outlives restarts. When it starts, it marks the devices of its previous run
 * offline; later it does the same for nodes that are gone.
 */
export class ServerNode implements OnModuleInit {
  private readonly logger = new Logger('ServerNode');

  private constructor(
    /** The prefix of this node's connection ids. */
    readonly id: string,
    private readonly dataSource: ReportsDataSource,
    private readonly clock: Clock,
  ) {}

  /** Opens this node under the id in its data folder, which is created if missing. */
  static async open(settings: Settings, dataSource: ReportsDataSource, clock: Clock): Promise<ServerNode> {
    return new ServerNode(await readOrMakeId(settings.dataPath), dataSource, clock);
  }

  async onModuleInit(): Promise<void> {
    const now = this.clock.now();
    await this.dataSource.query(
      `INSERT INTO nodes (id, started_at, last_seen_at) VALUES ($1, $2, $2)
       ON CONFLICT (id) DO UPDATE SET started_at = EXCLUDED.started_at, last_seen_at = EXCLUDED.last_seen_at`,
      [this.id, now],
    );
    await this.markLostDevicesOffline([this.id]);
  }

  /** Reports that this node is alive, and cleans up after nodes that are gone. */
  @Interval(REPORT_INTERVAL_MS)
  async report(): Promise<void> {
    try {
      // If other nodes removed this one while it was delayed, this inserts it again.
      await this.dataSource.query(
        `INSERT INTO nodes (id, started_at, last_seen_at) VALUES ($1, $2, $2)
         ON CONFLICT (id) DO UPDATE SET last_seen_at = EXCLUDED.last_seen_at`,
        [this.id, this.clock.now()],
      );
      const gone = await this.dataSource.query<{ id: string }[]>('SELECT id FROM nodes WHERE last_seen_at < $1 AND id <> $2', [
        new Date(this.clock.milliseconds() - GONE_AFTER_MS),
        this.id,
      ]);
      if (gone.length > 0) await this.forget(gone.map(({ id }) => id));
    } catch (error) {
      this.logger.warn(`This node could not report that it is alive: ${messageOf(error)}`);
    }
  }

  private async forget(nodes: readonly string[]): Promise<void> {
    await this.markLostDevicesOffline(nodes);
    await this.dataSource.query('DELETE FROM nodes WHERE id = ANY($1::text[]) AND last_seen_at < $2', [
      nodes,
      new Date(this.clock.milliseconds() - GONE_AFTER_MS),
    ]);
  }

  private async markLostDevicesOffline(nodes: readonly string[]): Promise<void> {
    const result: unknown = await this.dataSource.query(
      `UPDATE devices SET is_online = FALSE, connection_id = '', node_id = NULL WHERE is_online AND node_id = ANY($1::text[])`,
      [nodes],
    );
    const count = (result as [unknown[], number])[1];
    if (count > 0) this.logger.log(`Marked ${count} devices offline: the process that they were connected to has ended.`);
  }
}

async function readOrMakeId(dataPath: string): Promise<string> {
  const file = join(dataPath, ID_FILE);
  try {
    const known = (await readFile(file, 'utf8')).trim();
    if (ID_FORM.test(known)) return known;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  const made = randomBytes(ID_BYTES).toString('base64url');
  await mkdir(dataPath, { recursive: true });
  await writeFile(file, `${made}\n`, { mode: 0o600 });
  return made;
}
