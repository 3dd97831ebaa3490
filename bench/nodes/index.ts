import type { BenchPart } from '../harness/bench-part.js';
import { calls } from './calls.js';
import { faults } from './faults.js';
import { files } from './files.js';
import { growth } from './growth.js';
import { heartbeats } from './heartbeats.js';
import { idle } from './idle.js';
import { longPolling } from './long-polling.js';
import { moving } from './moving.js';
import { natsRoll } from './nats-roll.js';
import { pushes } from './pushes.js';
import { relay } from './relay.js';
import { rights } from './rights.js';
import { rolling } from './rolling.js';
import { unset } from './unset.js';

/** The goals N1 to N14, in their order. */
export const NODES_BENCHES: readonly BenchPart[] = [
  calls,
  heartbeats,
  pushes,
  files,
  relay,
  longPolling,
  growth,
  faults,
  rolling,
  natsRoll,
  rights,
  moving,
  idle,
  unset,
];
