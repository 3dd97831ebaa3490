import type { EntityManager } from 'typeorm';

import type { Clock } from '../../platform/common/runtime/clock.js';
import type { Settings } from '../../platform/config/settings.js';
import type { NodesFacts } from './checks/nodes.js';

/** The injection token of {@link NodesProbe}. A service of one node provides nothing under it. */
export const NODES_PROBE = Symbol('NodesProbe');

/** The parts of the service that the probe looks at. */
interface ProbedNodes {
  readonly settings: Settings;
  readonly manager: EntityManager;
  readonly clock: Clock;
}

/** Looks at NATS and at every node from this machine. It is part of the way between nodes, which a service of one node does not load. */
export type NodesProbe = (probed: ProbedNodes) => Promise<NodesFacts>;
