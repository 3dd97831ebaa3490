import { hostname } from 'node:os';

import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

import { ConfigurationError } from '../../platform/config/load-settings.js';
import { OPTIONS, variableOf } from '../../platform/config/options.js';
import { Settings } from '../../platform/config/settings.js';
import type { LineReport, LineStanding, LineToNodes } from '../../platform/node/line-standing.js';
import { ServerNode } from '../../platform/node/server-node.js';
import { NatsCarrier, NatsRefusal } from './line/nats-carrier.js';
import { natsOptionsOf } from './line/nats-connection.js';
import type { NodeCalls, NodeMethodHandlers } from './line/node-calls.js';
import { NodeLine } from './line/node-line.js';
import { NodeMetrics } from './line/node-metrics.js';
import type { ServiceMethods } from './node-methods.js';
import { UNHEARD_AFTER_MS } from './line/node-presence.js';
import { NodesRepository } from './nodes.repository.js';
import { RefusedMessages } from './line/refused-messages.js';
import type { Changed, Toast } from './line/signals.js';

/** Hears the signals of other nodes. */
export interface SignalListener {
  /** Devices have changed at another node: their ids of 16 bytes, or all. */
  changed(ids: Changed['ids']): void;
  toasted(toast: Toast): void;
}

/** This process's line to the other nodes. It is open before the service listens, and closes when nothing serves any more. */
@Injectable()
export class ServiceLine implements LineToNodes, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly handlers: Partial<NodeMethodHandlers<ServiceMethods>> = {};
  private readonly listeners: SignalListener[] = [];
  private readonly gapListeners: (() => void)[] = [];
  private readonly missListeners: (() => void)[] = [];
  private readonly refused = new RefusedMessages();
  private readonly metrics = new NodeMetrics();
  private readonly line: NodeLine<ServiceMethods>;

  constructor(
    private readonly node: ServerNode,
    private readonly settings: Settings,
    private readonly nodes: NodesRepository,
  ) {
    const tell = (word: (listener: SignalListener) => void): void => this.listeners.forEach(word);
    this.line = new NodeLine<ServiceMethods>(
      {
        id: node.id,
        databaseTime: () => node.databaseTime(),
        isServing: () => node.standing.state === 'running',
        changed: (ids) => {
          if (ids !== 'all') this.metrics.signals('heard', ids.length);
          tell((listener) => listener.changed(ids));
        },
        toasted: (toast) => tell((listener) => listener.toasted(toast)),
        mended: () => this.gapListeners.forEach((listener) => listener()),
        missed: () => this.missListeners.forEach((listener) => listener()),
        refused: (kind) => this.refused.note(kind),
        metrics: this.metrics,
      },
      this.handlers,
    );
    this.metrics.observe(this.line);
  }

  /** Serves methods for other nodes. Call it before the application has started. */
  serve(handlers: Partial<NodeMethodHandlers<ServiceMethods>>): void {
    Object.assign(this.handlers, handlers);
  }

  /** Tells of signals. Call it before the application has started. */
  listen(listener: SignalListener): void {
    this.listeners.push(listener);
  }

  /** Calls the listener when the line is there after a gap in which signals were lost. Call it before the application has started. */
  onMended(listener: () => void): void {
    this.gapListeners.push(listener);
  }

  /** Calls the listener when signals of another node were lost, although the line was there. Call it before the application has started. */
  onMissed(listener: () => void): void {
    this.missListeners.push(listener);
  }

  /** @throws ConfigurationError when NATS refuses this node */
  async onApplicationBootstrap(): Promise<void> {
    try {
      await this.line.open((listener) => NatsCarrier.open(this.node.id, natsOptionsOf(this.settings, this.name), listener));
    } catch (error) {
      if (!(error instanceof NatsRefusal)) throw error;
      const { nats, natsSeed, natsUser } = OPTIONS.nodes;
      const key = this.settings.nodes.natsSeed === '' ? natsUser : natsSeed;
      const option: { readonly key: string } = error.about === 'key' ? key : nats;
      throw new ConfigurationError([`${variableOf(option.key)}: ${error.message}`]);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.line.close();
  }

  get calls(): NodeCalls<ServiceMethods> {
    return this.line.calls;
  }

  async standing(): Promise<LineStanding> {
    const { isUp, server, heardNodes } = this.line;
    const reported = await this.nodes.serving(UNHEARD_AFTER_MS);
    const unheard = reported.filter((id) => id !== this.node.id && !heardNodes.includes(id));
    return { isUp, server: server?.address ?? null, unheard: isUp ? unheard : [] };
  }

  report(): LineReport {
    const { server, roundTripMs, silences } = this.line;
    return { server, roundTripMs, silences };
  }

  /** True while other nodes are reached. */
  get isUp(): boolean {
    return this.line.isUp;
  }

  /** Counts a look-up of a place. */
  lookedUp(result: 'hit' | 'miss'): void {
    this.metrics.lookup(result);
  }

  /** False for a node that was heard, and is not any more, while others could be. */
  reaches(nodeId: string): boolean {
    return this.line.reaches(nodeId);
  }

  /** The other nodes that were heard recently. */
  get heardNodes(): readonly string[] {
    return this.line.heardNodes;
  }

  /** Tells all other nodes which devices have changed. */
  signal(ids: Changed['ids']): void {
    if (ids !== 'all') this.metrics.signals('sent', ids.length);
    this.line.signal(ids);
  }

  /** Shows viewers of a device at other nodes a message about it. */
  toast(toast: Omit<Toast, 'nodeId'>): void {
    this.line.toast(toast);
  }

  /** Name of the connection in NATS' own monitoring. */
  private get name(): string {
    return `device-management ${this.node.id} ${hostname()}`;
  }
}
