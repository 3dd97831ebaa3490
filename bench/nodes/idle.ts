import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';

import type { BenchPart } from '../harness/bench-part.js';
import type { Finding } from '../harness/finding.js';
import { inTurns, median } from '../harness/rounds.js';
import { makeDataDirectory, removeDataDirectory } from '../harness/service.js';
import { settledBytes } from '../harness/settled.js';
import { NATS } from './nats-servers.js';
import { NodesScene, onPostgres, startPostgres } from './nodes-scene.js';
import { keptPort } from './ports.js';
import { ServiceNode } from './service-node.js';

const STARTS = 5;
/** Time for the work that follows a start. */
const IDLE_MS = 3_000;
const MIB = 1_048_576;

interface Idle {
  readonly seconds: number;
  readonly mebibytes: number;
}

/** Goal N13: start and idle memory of a third node beside two, compared with a service alone. Both use a PostgreSQL that runs already. */
export const idle: BenchPart = {
  title: 'start and memory of a node of three',
  needs: [NATS],
  measure: () =>
    NodesScene.play({ devices: 1, nodes: 2 }, async (scene) => {
      const directory = await makeDataDirectory();
      const postgres = await startPostgres(directory);
      try {
        const alone = await ServiceNode.in(join(directory, 'alone'), await keptPort(), onPostgres(postgres));
        const third = await ServiceNode.in(join(scene.directory, 'third'), await keptPort(), scene.variables);
        // The first starts upgrade the schema.
        for (const node of [alone, third]) await startOnce(node);
        const { one, three } = await inTurns(STARTS, { one: () => startOnce(alone), three: () => startOnce(third) });
        const figure = (starts: readonly Idle[], of: keyof Idle): number => median(starts.map((start) => start[of]));
        const row = (what: string, of: keyof Idle, unit: 's' | 'MiB', floor: number, aim: number): Finding => ({
          goal: 'N13',
          what: `a node of three against a service alone: ${what}`,
          unit,
          better: 'lower',
          floor,
          aim,
          notes: [],
          baseline: `${figure(one, of).toFixed(unit === 's' ? 2 : 0)} ${unit}`,
          measured: `${figure(three, of).toFixed(unit === 's' ? 2 : 0)} ${unit}`,
          value: figure(three, of) - figure(one, of),
        });
        return {
          findings: [
            row('resident memory when idle, after garbage collections', 'mebibytes', 'MiB', 32, 12),
            row('start to listening, with PostgreSQL there', 'seconds', 's', 1, 0.3),
          ],
        };
      } finally {
        await postgres.stop();
        await removeDataDirectory(directory);
      }
    }),
};

async function startOnce(node: ServiceNode): Promise<Idle> {
  await node.start();
  try {
    await delay(IDLE_MS);
    const bytes = await settledBytes(node.pid, () => node.collectGarbage());
    return { seconds: node.startMilliseconds / 1000, mebibytes: bytes / MIB };
  } finally {
    // A stop would take seconds, in which balancers learn of it.
    await node.kill();
  }
}
