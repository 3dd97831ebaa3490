import { setTimeout as delay } from 'node:timers/promises';

import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { metrics } from '@opentelemetry/api';

import { messageOf } from '../../../platform/common/errors/errors.js';
import { Settings } from '../../../platform/config/settings.js';
import { ServerNode } from '../../../platform/node/server-node.js';
import { NodesRepository } from '../nodes.repository.js';
import { type LettingGo, isInVain, surplusOf } from './balance.js';
import { BalanceBounds } from './balance-bounds.js';
import { MovableAgents } from './movable-agents.js';

/** Interval at which a node compares itself with others, in milliseconds: that of their reports. */
const LOOK_INTERVAL_MS = 3_000;

/**
 * Lets agents of this node go, a few a second, while it has many more connections than other nodes, as after a rolling restart: they come
 * back, and the balancer gives them to all nodes alike.
 */
@Injectable()
export class Rebalancing implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Nodes');
  private readonly moved = metrics.getMeter('nodes').createCounter('nodes.rebalanced', {
    unit: '{agent}',
    description: 'Agents that this node let go because it had more connections than others.',
  });
  private lettingGo: LettingGo | null = null;
  private pausedUntil = 0;
  private isBusy = false;
  private isStopping = false;

  constructor(
    private readonly settings: Settings,
    private readonly nodes: NodesRepository,
    private readonly node: ServerNode,
    private readonly agents: MovableAgents,
    private readonly bounds: BalanceBounds,
  ) {}

  beforeApplicationShutdown(): void {
    this.isStopping = true;
  }

  /** Compares this node with others, and lets go what it has too many. */
  @Interval(LOOK_INTERVAL_MS)
  async look(): Promise<void> {
    if (!this.settings.nodes.rebalance || this.isBusy || performance.now() < this.pausedUntil) return;
    this.isBusy = true;
    try {
      while ((await this.balance()) > 0);
    } catch (error) {
      this.logger.warn({ message: 'The connections of nodes could not be compared.', reason: messageOf(error) });
    } finally {
      this.isBusy = false;
    }
  }

  /** Lets go as many as in a second, and returns their number. */
  private async balance(): Promise<number> {
    const connections = this.node.connections;
    const read = await this.nodes.shares(this.bounds.settledMs);
    // Its own number may be newer than its last report.
    const shares = read.map((share) => (share.id === this.node.id ? { ...share, connections } : share));
    const surplus = surplusOf(this.node.id, shares, this.lettingGo, this.bounds);
    if (surplus === 0) return this.end();
    this.lettingGo ??= this.begin(connections, surplus);
    if (isInVain(this.lettingGo, connections, this.bounds)) return this.pause(this.lettingGo, connections);
    const released = await this.release(Math.min(surplus, this.bounds.perSecond));
    this.lettingGo = { ...this.lettingGo, released: this.lettingGo.released + released };
    this.moved.add(released);
    return released;
  }

  private async release(count: number): Promise<number> {
    let released = 0;
    for (const letGo of this.agents.some(count)) {
      if (this.isStopping || this.node.standing.state !== 'running') break;
      if (!letGo()) continue;
      released += 1;
      await delay(1_000 / this.bounds.perSecond);
    }
    return released;
  }

  private begin(connections: number, surplus: number): LettingGo {
    this.logger.log({ message: 'This node has more connections than others, and lets agents go.', connections, surplus });
    return { begunWith: connections, released: 0 };
  }

  private end(): 0 {
    if (this.lettingGo === null) return 0;
    const { released } = this.lettingGo;
    this.lettingGo = null;
    this.logger.log({ message: 'This node lets no more agents go.', released, connections: this.node.connections });
    return 0;
  }

  private pause({ released }: LettingGo, connections: number): 0 {
    this.lettingGo = null;
    this.pausedUntil = performance.now() + this.bounds.pauseMs;
    const message =
      'Agents that this node let go come back to it: the balancer does not give them to other nodes. It keeps the others for now.';
    this.logger.warn({ message, released, connections });
    return 0;
  }
}
