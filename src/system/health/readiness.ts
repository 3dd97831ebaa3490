import { setTimeout as delay } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { ServiceLock } from '../../platform/database/service-lock.js';
import { NodeTimes } from '../../platform/node/node-times.js';
import { ServerNode } from '../../platform/node/server-node.js';
import { DatabaseProbe } from './database-probe.js';

/** Whether this process takes requests, and if not, why. */
export interface ReadinessAnswer {
  readonly status: 'Ready' | 'NotReady';
  readonly database: 'Healthy' | 'Unhealthy';
  /** Whether its row in the list of nodes is up to date. */
  readonly node: 'Reported' | 'Overdue';
  /** `Draining` while it is about to stop. */
  readonly state: 'Running' | 'Draining';
  /** How far its clock is ahead of that of the database. */
  readonly clockAheadMs: number;
  readonly clock: 'Right' | 'Wrong';
}

/** Tells balancers whether this process should get requests. One among several says that it stops before it does. */
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

  /** Says that this process stops, and waits until balancers have heard of it. A process alone has nobody to take over, and does not wait. */
  async drain(): Promise<void> {
    await this.node.drain();
    if (this.lock.isShared) await delay(this.times.drainDelayMs);
  }
}
