import type { BenchPart } from '../harness/bench-part.js';
import { withClient, type Database } from '../harness/database.js';
import { whole } from '../harness/side.js';
import type { MovingCalls } from '../loads/moving-agents.js';
import { numbers } from './compared.js';
import { NATS } from './nats-servers.js';
import { NodesScene } from './nodes-scene.js';
import { until } from '../harness/until.js';

const DEVICES = 10_000;
/** Each has two connections for a device; a process may often have 20,000 at most. */
const LOADS = 2;

const DEADLOCKS = 'SELECT deadlocks::int AS count FROM pg_stat_database WHERE datname = current_database()';
const MOVED = 'SELECT count(*)::int AS count FROM devices WHERE is_online AND node_id <> $1';
const HOME = 'SELECT node_id AS id FROM devices WHERE is_online GROUP BY node_id ORDER BY count(*) DESC LIMIT 1';

/** Goal N12: devices whose agents all leave one node and report through another at the same time. */
export const moving: BenchPart = {
  title: 'ten thousand devices move at once',
  needs: [NATS],
  measure: () =>
    NodesScene.play({ devices: DEVICES, nodes: 2 }, async (scene) => {
      const target = (node: number): { url: string; path: string; tenantId: string } => ({
        url: scene.node(node).url,
        path: '/hubs/agent',
        tenantId: scene.fleet.tenantId,
      });
      const loads = Array.from({ length: LOADS }, () => scene.program<MovingCalls>('loads/moving-agents'));
      const share = DEVICES / LOADS;
      await Promise.all(
        loads.map((load, index) => load.call('connect', { from: target(0), to: target(1), devices: numbers(index * share, share) })),
      );
      const count = async (sql: string, parameters?: readonly unknown[]): Promise<number> =>
        (await rowOf<{ readonly count: number }>(scene.database, sql, parameters)).count;
      const { id: home } = await rowOf<{ readonly id: string }>(scene.database, HOME);
      const before = await count(DEADLOCKS);

      const seconds = async (name: 'move' | 'stay'): Promise<number> => {
        await Promise.all(loads.map((load) => load.call('prepare', undefined)));
        return Math.max(...(await Promise.all(loads.map((load) => load.call(name, undefined))))) / 1000;
      };
      const moved = await seconds('move');
      // The former node writes that its connections have ended, and must not undo what the new one has written.
      await until('every device is at the new node', async () => (await count(MOVED, [home])) === DEVICES);
      const deadlocks = (await count(DEADLOCKS)) - before;
      if (deadlocks > 0) throw new Error(`There were ${deadlocks} deadlocks.`);
      const stayed = await seconds('stay');
      return {
        findings: [
          {
            goal: 'N12',
            what: `${whole(DEVICES)} devices move to another node at once: all accepted, no deadlock`,
            baseline: `${stayed.toFixed(2)} s for as many reports without a move`,
            measured: `${moved.toFixed(2)} s`,
            value: moved,
            unit: 's',
            better: 'lower',
            floor: 3,
            aim: 1.5,
            notes: [],
          },
        ],
      };
    }),
};

/** The first row of a query. */
async function rowOf<T extends object>(database: Database, sql: string, parameters: readonly unknown[] = []): Promise<T> {
  const { rows } = await withClient(database, (client) => client.query<T>(sql, [...parameters]));
  const [row] = rows;
  if (row === undefined) throw new Error('A query found nothing.');
  return row;
}
