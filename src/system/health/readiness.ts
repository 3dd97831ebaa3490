import { setTimeout as delay } from 'node:timers/promises';

import { Inject, Injectable, Optional } from '@nestjs/common';

import { LINE_TO_NODES, type LineToNodes } from '../../platform/node/line-standing.js';
import { DrainTimes } from '../../platform/node/drain-times.js';
import { ServerNode } from '../../platform/node/server-node.js';
import { DatabaseProbe } from './database-probe.js';

/** Readiness of this process for requests, with the reasons if it is not ready. */
export interface ReadinessAnswer {
  /** `Degraded`: it serves, but does not reach all other nodes. */
  readonly status: 'Ready' | 'Degraded' | 'NotReady';
  readonly database: 'Healthy' | 'Unhealthy';
  /** State of its row in the list of nodes: up to date or overdue. */
  readonly node: 'Reported' | 'Overdue';
  /** `Draining` while it is about to stop. */
  readonly state: 'Running' | 'Draining';
  /** Lead of its clock over that of the database, in milliseconds. */
  readonly clockAheadMs: number;
  readonly clock: 'Right' | 'Wrong';
  /** Only with several nodes. */
  readonly nats?: 'Reached' | 'Away';
  /** Ids of nodes that report to the database and are not heard. Only with several nodes. */
  readonly unheardNodes?: readonly string[];
}

/** Tells balancers whether this process should get requests. One of several processes announces its stop in advance. */
@Injectable()
export class Readiness {
  constructor(
    private readonly probe: DatabaseProbe,
    private readonly node: ServerNode,
    private readonly times: DrainTimes,
    @Optional() @Inject(LINE_TO_NODES) private readonly line?: LineToNodes,
  ) {}

  /** The answer as of now. Never rejects. */
  async answer(): Promise<ReadinessAnswer> {
    const isProbed = await this.probe.answers();
    // What it says is from the database too, which may have gone away since the probe.
    const line = isProbed ? await this.line?.standing().catch(() => null) : undefined;
    const isHealthy = isProbed && line !== null;
    const { state, isReported, isClockRight, clockAheadMs } = this.node.standing;
    const isReady = isHealthy && isReported && isClockRight && state === 'running';
    const isDegraded = Boolean(line && (!line.isUp || line.unheard.length > 0));
    return {
      status: !isReady ? 'NotReady' : isDegraded ? 'Degraded' : 'Ready',
      database: isHealthy ? 'Healthy' : 'Unhealthy',
      node: isReported ? 'Reported' : 'Overdue',
      state: state === 'running' ? 'Running' : 'Draining',
      clockAheadMs,
      clock: isClockRight ? 'Right' : 'Wrong',
      ...(!line ? {} : { nats: line.isUp ? 'Reached' : 'Away', unheardNodes: line.unheard }),
    };
  }

  /** Announces the stop of this process, and waits until balancers know it. A single process has no successor, and does not wait. */
  async drain(): Promise<void> {
    await this.node.drain();
    if (this.times.delayMs > 0) await delay(this.times.delayMs);
  }
}
