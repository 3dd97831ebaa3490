import { Inject, Injectable, Optional } from '@nestjs/common';

import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { LINE_TO_NODES, type LineReport, type LineToNodes } from '../../platform/node/line-standing.js';
import { NodeTimes } from '../../platform/node/node-times.js';
import { ServerNode } from '../../platform/node/server-node.js';
import { NodeStateName, type ServerNodesResponseDto } from './server-nodes.dto.js';
import { type ListedNode, ServerNodesRepository } from './server-nodes.repository.js';

/** The nodes of this installation, and NATS between them. */
@Injectable()
export class ServerNodesService {
  constructor(
    private readonly nodes: ServerNodesRepository,
    private readonly self: ServerNode,
    private readonly times: NodeTimes,
    private readonly clock: Clock,
    @Optional() @Inject(LINE_TO_NODES) private readonly line: LineToNodes | null = null,
  ) {}

  /** The nodes that the database lists, as this node hears them. */
  async list({ manager }: Pick<RequestContext, 'manager'>): Promise<ServerNodesResponseDto> {
    const listed = await this.nodes.list(manager, this.times.holeMs);
    const report = this.line?.report() ?? null;
    const now = this.clock.milliseconds();
    const nodes = listed.map(({ isOverdue, state, ...node }) => ({
      ...node,
      isThis: node.id === this.self.id,
      state: stateOf(state, isOverdue),
      heardAt: heardAt(report?.silences.get(node.id), now),
    }));
    return { nodes, nats: report === null ? null : natsOf(report) };
  }
}

function stateOf(state: ListedNode['state'], isOverdue: boolean): NodeStateName {
  if (isOverdue) return NodeStateName.Overdue;
  return state === 'draining' ? NodeStateName.Draining : NodeStateName.Running;
}

const heardAt = (silenceMs: number | undefined, now: number): Date | null => (silenceMs === undefined ? null : new Date(now - silenceMs));

function natsOf({ server, roundTripMs }: LineReport): NonNullable<ServerNodesResponseDto['nats']> {
  if (server === null) return { server: null, release: null, cluster: null, addresses: [], roundTripMs: null };
  const { address, version, cluster, known } = server;
  return { server: address, release: version, cluster, addresses: [...known], roundTripMs };
}
