import { randomBytes } from 'node:crypto';

import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { metrics } from '@opentelemetry/api';

import { messageOf } from '../common/errors/errors.js';
import { Clock } from '../common/runtime/clock.js';
import { ProcessExit } from '../common/runtime/process-exit.js';
import { ReportsDataSource } from '../database/connection/reserved-data-source.js';
import { ServiceLock } from '../database/locks/service-lock.js';
import { NodeTimes } from './node-times.js';
import { ServerVersion } from './server-version.js';

/** Interval at which a node reports that it is alive, in milliseconds. */
const REPORT_INTERVAL_MS = 3_000;
const SWEEP_INTERVAL_MS = 60_000;
/** Longest time of a report that tells the database's clock, in milliseconds. The clock that it tells is off by at most half of that. */
const CLOCK_WITHIN_MS = 1_000;
/** Devices that one statement marks offline: the reports of others do not wait for it long. */
const SWEEP_BATCH = 1_000;
const ID_BYTES = 9;

const ENTER = 'INSERT INTO nodes (id, version, started_at, last_seen_at) VALUES ($1, $2, now(), now())';
const ANNOUNCE = 'UPDATE nodes SET address = $2 WHERE id = $1';
const FIND_ADDRESS = 'SELECT address FROM nodes WHERE id = $1';
// A report from before the drain may come to the row after that of the drain, through another connection.
const REPORT = `
  UPDATE nodes SET last_seen_at = now(), state = CASE state WHEN 'draining' THEN state ELSE $2 END, connections = $3 WHERE id = $1
  RETURNING extract(epoch FROM clock_timestamp()) * 1000 AS "databaseTime"`;
const JUDGE = `DELETE FROM nodes WHERE id <> $1 AND last_seen_at < now() - $2 * interval '1 millisecond'`;
const SWEEP = `
  UPDATE devices SET is_online = FALSE, connection_id = '', node_id = NULL WHERE ctid = ANY (ARRAY(
    SELECT d.ctid FROM devices d WHERE d.is_online AND NOT EXISTS (SELECT FROM nodes n WHERE n.id = d.node_id)
    LIMIT ${SWEEP_BATCH} FOR UPDATE SKIP LOCKED))
  RETURNING id`;

const GONE = 'The other processes took this one for gone, because it had not reported for too long. It ends, so that it can start again.';

/** State of a node: it serves, or is about to stop. */
export type NodeState = 'running' | 'draining';

/** A node's state, reports and clock. */
export interface NodeStanding {
  readonly state: NodeState;
  /** True if its row said recently that it is alive. */
  readonly isReported: boolean;
  /** Milliseconds by which its clock is ahead of that of the database; negative when it is behind. */
  readonly clockAheadMs: number;
  readonly isClockRight: boolean;
}

/**
 * This run of the process as a node of the service. Its id is new at each start, so that a copied data folder does not make two processes
 * one. It reports by the clock of the database, removes nodes that are gone, and marks devices offline whose node there is no more.
 */
@Injectable()
export class ServerNode implements OnModuleInit, OnApplicationShutdown {
  /** The prefix of this node's connection ids. */
  readonly id = randomBytes(ID_BYTES).toString('base64url');

  private readonly logger = new Logger('ServerNode');
  private readonly judgedGone = metrics.getMeter('nodes').createCounter('nodes.judged_gone', {
    unit: '{node}',
    description: 'Nodes that this one has removed because they had not reported for too long.',
  });
  /** Time of the last report, and of the first one since the last hole, by the monotonic clock. */
  private reportedAt = 0;
  private steadySince = 0;
  private readonly sweepListeners: ((deviceId: string) => void)[] = [];
  private isStopping = false;
  private state: NodeState = 'running';
  private countOf = (): number => 0;
  /** Milliseconds by which the clock of this process is ahead of that of the database, as of the last quick report; null before the first one. */
  private ahead: number | null = null;

  constructor(
    private readonly dataSource: ReportsDataSource,
    private readonly lock: ServiceLock,
    private readonly version: ServerVersion,
    private readonly times: NodeTimes,
    private readonly clock: Clock,
    private readonly exit: ProcessExit,
  ) {}

  async onModuleInit(): Promise<void> {
    // A process that has the database alone follows on processes that have all ended.
    if (!this.lock.isShared) await this.dataSource.query('DELETE FROM nodes');
    await this.dataSource.query(ENTER, [this.id, this.version.text]);
    this.reportedAt = performance.now();
    this.steadySince = this.reportedAt;
    await this.report();
    await this.sweep();
  }

  /** Removes this node from the list when nothing of it uses the database any more. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    try {
      await this.dataSource.query('DELETE FROM nodes WHERE id = $1', [this.id]);
    } catch (error) {
      this.logger.warn(`This node could not be taken out of the list of nodes: ${messageOf(error)}`);
    }
  }

  /** Reports that this node is alive, and removes nodes that are gone. A node that finds itself removed ends its process. */
  @Interval(REPORT_INTERVAL_MS)
  async report(): Promise<void> {
    if (this.isStopping) return;
    try {
      const asked = performance.now();
      const [[row]] = await this.dataSource.query<[{ databaseTime: string }[], number]>(REPORT, [this.id, this.state, this.connections]);
      if (row === undefined) return this.removed();
      const now = performance.now();
      // The database looked at its clock about halfway, unless this process stood still, or the row was locked.
      const took = now - asked;
      if (took <= CLOCK_WITHIN_MS || this.ahead === null) this.ahead = this.clock.milliseconds() - took / 2 - Number(row.databaseTime);
      if (now - this.reportedAt > this.times.holeMs) this.steadySince = now;
      this.reportedAt = now;
      if (now - this.steadySince < this.times.steadyMs || !this.isClockRight) return;
      const [, gone] = await this.dataSource.query<[unknown[], number]>(JUDGE, [this.id, this.times.goneAfterMs]);
      if (gone === 0) return;
      this.judgedGone.add(gone);
      await this.sweep();
    } catch (error) {
      this.logger.warn(`This node could not report that it is alive: ${messageOf(error)}`);
    }
  }

  /** The database's clock in milliseconds, as far as this node's reports say. */
  databaseTime(): number {
    return this.clock.milliseconds() - this.aheadMs;
  }

  /** Sets the function that counts this node's hub connections, for its reports. Until then there are none. */
  countConnections(count: () => number): void {
    this.countOf = count;
  }

  /** Number of this node's hub connections. */
  get connections(): number {
    return this.countOf();
  }

  /** Tells other nodes the host and port at which they reach this one. */
  async announce(address: string): Promise<void> {
    await this.dataSource.query(ANNOUNCE, [this.id, address]);
  }

  /** The host and port at which a node is reached; null when there is no such node, or it has not announced any yet. */
  async addressOf(nodeId: string): Promise<string | null> {
    const [row] = await this.dataSource.query<{ address: string | null }[]>(FIND_ADDRESS, [nodeId]);
    return row?.address ?? null;
  }

  /** This node's standing, as of its last report. */
  get standing(): NodeStanding {
    const isReported = performance.now() - this.reportedAt <= this.times.holeMs;
    return { state: this.state, isReported, clockAheadMs: Math.round(this.aheadMs), isClockRight: this.isClockRight };
  }

  /** Announces that this node is going to stop, to callers that ask and in its row. */
  async drain(): Promise<void> {
    this.state = 'draining';
    await this.report();
  }

  private get aheadMs(): number {
    return this.ahead ?? 0;
  }

  private get isClockRight(): boolean {
    return Math.abs(this.aheadMs) < this.times.clockToleranceMs;
  }

  /** Calls the listener with each device that was marked offline because its node is gone. */
  onSwept(listener: (deviceId: string) => void): void {
    this.sweepListeners.push(listener);
  }

  /** Marks devices offline whose node there is no more. */
  @Interval(SWEEP_INTERVAL_MS)
  async sweepRegularly(): Promise<void> {
    try {
      await this.sweep();
    } catch (error) {
      this.logger.warn(`The devices of former nodes could not be marked offline: ${messageOf(error)}`);
    }
  }

  private async sweep(): Promise<void> {
    let marked = 0;
    for (let batch = SWEEP_BATCH; batch === SWEEP_BATCH; marked += batch) {
      const [rows, count] = await this.dataSource.query<[{ readonly id: string }[], number]>(SWEEP);
      batch = count;
      for (const { id } of rows) for (const listener of this.sweepListeners) listener(id);
    }
    if (marked > 0) this.logger.log(`Marked ${marked} devices offline: the process that they were connected to has ended.`);
  }

  private removed(): void {
    if (!this.isStopping) this.exit.now(GONE);
  }
}
