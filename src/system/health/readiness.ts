import { setTimeout as delay } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { ServiceLock } from '../../platform/database/locks/service-lock.js';
import { NodeTimes } from '../../platform/node/node-times.js';
import { ServerNode } from '../../platform/node/server-node.js';
import { DatabaseProbe } from './database-probe.js';

/** Readiness of this process for requests, with the reasons if it is not ready. */
export interface ReadinessAnswer {
  readonly status: 'Ready' | 'NotReady';
  readonly database: 'Healthy' | 'Unhealthy';
  /** State of its row in the list of nodes: up to date or overdue. */
  readonly node: 'Reported' | 'Overdue';
  /** `Draining` while it is about to stop. */
  readonly state: 'Running' | 'Draining';
  /** Lead of its clock over that of the database, in milliseconds. */
  readonly clockAheadMs: number;
  readonly clock: 'Right' | 'Wrong';
}

/** Tells balancers whether this process should get requests. One of several processes announces its stop in advance. */
@Injectable()
export class Readiness {
  constructor(
    private readonly probe: DatabaseProbe,
    private readonly node: ServerNode,
    private readonly lock: ServiceLock,
    private readonly times: NodeTimes,
  ) {}

  async answer(): Promise<ReadinessAnswer> {
    const isHealthy = await this.probe.answers();
    const { state, isReported, isClockRight, clockAheadMs } = this.node.standing;
    const isReady = isHealthy && isReported && isClockRight && state === 'running';
    return {
      status: isReady ? 'Ready' : 'NotReady',
      database: isHealthy ? 'Healthy' : 'Unhealthy',
      node: isReported ? 'Reported' : 'Overdue',
      state: state === 'running' ? 'Running' : 'Draining',
      clockAheadMs,
      clock: isClockRight ? 'Right' : 'Wrong',
    };
  }

  /** Announces the stop of this process, and waits until balancers know it. A single process has no successor, and does not wait. */
  async drain(): Promise<void> {
    await this.node.drain();
    if (this.lock.isShared) await delay(this.times.drainDelayMs);
  }
}
