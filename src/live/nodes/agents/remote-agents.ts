import { Injectable } from '@nestjs/common';

import type { ClientMethodDescriptor } from '#libs/signalr';

import type { AgentChannel, AgentPlace, ChannelOptions, OtherNodes } from '../../../devices/device-link/agent-place.js';
import { isTooOld } from '../../../devices/device-link/call-age.js';
import { deviceOffline } from '../../../devices/device-link/device-failures.js';
import { ServerNode } from '../../../platform/node/server-node.js';
import { type AgentMethods, answerOf, carriedArguments } from './agent-calls.js';
import { DeviceDirectory, type ForeignPlace } from './device-directory.js';
import { NodeUnreachable, NotDone } from '../line/node-calls.js';
import { ServiceLine } from '../service-line.js';

/** Time by which the asked node answers later than the agent has to, in milliseconds. */
const WAY_MS = 2_000;
/** Deadline of a call for which no agent's answer is awaited, in milliseconds. */
const SEND_WITHIN_MS = 10_000;

/** The way to the agent of a device. */
interface Way {
  readonly deviceId: string;
  readonly place: ForeignPlace;
}

type Attempt<T> = (place: ForeignPlace) => Promise<T>;

/** The agents that are connected to other nodes. */
@Injectable()
export class RemoteAgents implements OtherNodes {
  constructor(
    private readonly directory: DeviceDirectory,
    private readonly line: ServiceLine,
    private readonly node: ServerNode,
  ) {}

  find(deviceId: string): Promise<ForeignPlace | undefined> {
    return this.directory.find(deviceId);
  }

  channel(deviceId: string, place: AgentPlace): AgentChannel {
    const way = { deviceId, place: foreign(place) };
    return {
      send: (method, args, { since }) => this.sendAt(way, method, args, since),
      invoke: (method, args, options) => this.invokeAt(way, method, args, options),
    };
  }

  send(place: AgentPlace, method: ClientMethodDescriptor, args: readonly unknown[]): void {
    const { nodeId, connectionId, tenantId } = foreign(place);
    const carried = carriedArguments(method, args);
    // Nobody waits for it: what has ended by now needs no call.
    this.line.calls
      .call(nodeId, 'SendThrough', [connectionId, method.name, carried], SEND_WITHIN_MS, { user: tenantId })
      .catch(() => undefined);
  }

  superseded(deviceId: string, former: AgentPlace): void {
    const { nodeId, connectionId } = foreign(former);
    if (nodeId === this.node.id) return;
    // A node that cannot be reached compares its places with the rows as soon as it can (`repair.ts`).
    this.line.calls.call(nodeId, 'Superseded', [deviceId, connectionId], SEND_WITHIN_MS).catch(() => undefined);
  }

  private async sendAt(way: Way, method: ClientMethodDescriptor, args: readonly unknown[], madeAt: number): Promise<void> {
    const { deviceId } = way;
    const carried = carriedArguments(method, args);
    await this.attempt(way, madeAt, ({ nodeId, connectionId, tenantId }) =>
      this.line.calls.call(nodeId, 'Send', [deviceId, connectionId, method.name, carried], SEND_WITHIN_MS, { user: tenantId, madeAt }),
    );
  }

  private async invokeAt(
    way: Way,
    method: ClientMethodDescriptor,
    args: readonly unknown[],
    { timeoutMs, since: madeAt }: ChannelOptions,
  ): Promise<unknown> {
    const { deviceId } = way;
    const carried = carriedArguments(method, args);
    const answer = await this.attempt(way, madeAt, ({ nodeId, connectionId, tenantId }) => {
      const called: AgentMethods['Invoke']['args'] = [deviceId, connectionId, method.name, carried, timeoutMs];
      return this.line.calls.call(nodeId, 'Invoke', called, timeoutMs + WAY_MS, { user: tenantId, madeAt });
    });
    return answerOf(method, answer);
  }

  /**
   * Makes a call. One that was proved not to be done is made once more, at the place that the database has by then, unless it is too old: it
   * may have waited in NATS, in the other node, or for the database.
   */
  private async attempt<T>({ deviceId, place }: Way, madeAt: number, call: Attempt<T>): Promise<T> {
    try {
      return await call(place);
    } catch (error) {
      if (!(error instanceof NotDone) && !(error instanceof NodeUnreachable)) throw error;
      this.directory.forget(deviceId, place);
      const next = await this.directory.find(deviceId);
      if (next === undefined) throw deviceOffline();
      // A subscription that is being made again looks like a node that is gone.
      if (error instanceof NodeUnreachable && next.nodeId === place.nodeId) throw error;
      if (isTooOld(madeAt)) throw new NodeUnreachable();
      return await this.attemptLast({ deviceId, place: next }, madeAt, call);
    }
  }

  private async attemptLast<T>({ deviceId, place }: Way, madeAt: number, call: Attempt<T>): Promise<T> {
    try {
      return await call(place);
    } catch (error) {
      if (!(error instanceof NotDone)) throw error;
      this.directory.forget(deviceId, place);
      throw isTooOld(madeAt) ? new NodeUnreachable() : deviceOffline();
    }
  }
}

function foreign({ nodeId, connectionId, tenantId }: AgentPlace): ForeignPlace {
  if (nodeId === null) throw new TypeError('The place is at this node.');
  return { nodeId, connectionId, tenantId };
}
