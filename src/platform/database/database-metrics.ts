import { Injectable } from '@nestjs/common';
import { metrics, type BatchObservableResult } from '@opentelemetry/api';
import { DataSource } from 'typeorm';

import { SharedReading } from '../common/concurrency/shared-reading.js';
import { poolOf } from './connection/data-source.js';
import { AccessDataSource, ReportsDataSource } from './connection/reserved-data-source.js';

/** Limits on reading the state of the database: several scrapers cost it no more than one, and a collection goes on without it. */
const LIMITS = { maximumAgeMs: 10_000, timeoutMs: 2_000 };

/** Sessions of other accounts show no time to an account without privileges; those of this service count in any case. */
const STATE = `
  SELECT pg_database_size(current_database())::float8 AS size,
         COALESCE((SELECT EXTRACT(EPOCH FROM max(now() - xact_start)) FROM pg_stat_activity WHERE datname = current_database()), 0)::float8
           AS oldest`;

interface DatabaseState {
  /** In bytes. */
  readonly size: number;
  /** Age of the oldest transaction, in seconds. */
  readonly oldest: number;
}

/** The database in figures: its pools of connections, its size and its oldest transaction. */
@Injectable()
export class DatabaseMetrics {
  constructor(requests: DataSource, reports: ReportsDataSource, access: AccessDataSource) {
    this.observePools({ requests, reports, access });
    this.observeState(new SharedReading(() => readState(reports), LIMITS));
  }

  private observePools(pools: Readonly<Record<string, DataSource>>): void {
    const meter = metrics.getMeter('database');
    const connections = meter.createObservableGauge('db.connections', {
      unit: '{connection}',
      description: 'Connections to the database, by pool and state (used, idle).',
    });
    const waiting = meter.createObservableGauge('db.connections.waiting', {
      unit: '{query}',
      description: 'Queries that wait for a connection, by pool.',
    });
    meter.addBatchObservableCallback(
      (result) => {
        for (const [pool, dataSource] of Object.entries(pools)) {
          const { totalCount, idleCount, waitingCount } = poolOf(dataSource);
          result.observe(connections, totalCount - idleCount, { pool, state: 'used' });
          result.observe(connections, idleCount, { pool, state: 'idle' });
          result.observe(waiting, waitingCount, { pool });
        }
      },
      [connections, waiting],
    );
  }

  private observeState(reading: SharedReading<DatabaseState>): void {
    const meter = metrics.getMeter('database');
    const size = meter.createObservableGauge('db.size', { unit: 'By', description: 'Size of the database.' });
    const oldest = meter.createObservableGauge('db.transaction.oldest', { unit: 's', description: 'Age of the oldest open transaction.' });
    const observe = async (result: BatchObservableResult): Promise<void> => {
      const state = await reading.get();
      if (state === null) return;
      result.observe(size, state.size);
      result.observe(oldest, state.oldest);
    };
    meter.addBatchObservableCallback(observe, [size, oldest]);
  }
}

async function readState(dataSource: DataSource): Promise<DatabaseState> {
  const [state] = await dataSource.query<DatabaseState[]>(STATE);
  return state;
}
