import type { Goal } from '../harness/finding.js';
import { inTurns, median } from '../harness/rounds.js';
import { Scene } from '../harness/scene.js';
import { whole } from '../harness/side.js';
import type { PermissionCheckCalls } from '../loads/permission-checks.js';

const DEVICES = 100_000;
const CHECKS = { devices: DEVICES, asked: 10_000, checks: 100_000 };
const ROUNDS = 5;
const CHANGES = 50;

/** Goal 14: the cost of a permission check with known rules and of a filter over all devices. A change must count at once. */
export const permissionCheck: Goal = {
  number: 14,
  title: 'permission check',
  measure: () =>
    Scene.play(DEVICES, async (scene) => {
      const { service, fleet } = scene;
      const load = scene.program<PermissionCheckCalls>('loads/permission-checks');
      await load.call('start', { database: service.database, fleet });
      const rounds = await inTurns(ROUNDS, {
        bare: () => load.call('lookUp', CHECKS),
        measured: () => load.call('check', CHECKS),
        filter: () => load.call('filter', DEVICES),
      });
      const unseen = await load.call('changes', CHANGES);
      if (unseen > 0) throw new Error(`${unseen} of ${CHANGES * 2} changes were not seen by the next check.`);

      const [bareP99, p99] = [rounds.bare, rounds.measured].map((times) => median(times.map((time) => time.p99)));
      const p50 = median(rounds.measured.map((time) => time.p50));
      const filter = median(rounds.filter);
      const common = { goal: 14, better: 'lower', notes: [`${CHANGES * 2} changes were each seen by the next check`] } as const;
      return [
        {
          ...common,
          what: `permission check on one of ${whole(DEVICES)} devices: p99`,
          baseline: `${bareP99.toFixed(2)} µs`,
          measured: `${p99.toFixed(2)} µs, p50 ${p50.toFixed(2)} µs`,
          value: p99,
          unit: 'µs',
          floor: 20,
          aim: 5,
        },
        {
          ...common,
          what: `permission checks on all of ${whole(DEVICES)} devices`,
          baseline: '',
          measured: `${filter.toFixed(1)} ms`,
          value: filter,
          unit: 'ms',
          floor: 100,
          aim: 50,
        },
      ];
    }),
};
