import { createAccount, createTags, setChaining } from '../harness/database.js';
import type { Finding, Goal } from '../harness/finding.js';
import { inTurns } from '../harness/rounds.js';
import { Scene } from '../harness/scene.js';
import { countedRound, loadNotes, Side, type Round } from '../harness/side.js';
import type { RequestCalls } from '../loads/requests.js';

const WRITERS = 32;
const WARM_UP_SECONDS = 1;
const SECONDS = 3;
const ROUNDS = 7;

/** Goal 20: changes that are written to the change log and chained, compared with the same changes without the chain. */
export const changeLog: Goal = {
  number: 20,
  title: 'changes, chained in the change log',
  measure: () => Scene.play(0, async (scene) => [await measureIn(scene)]),
};

/** All writers change the same tenant, so that they share one chain. */
async function measureIn(scene: Scene): Promise<Finding> {
  const { service } = scene;
  const { tenantId, apiKey } = await createAccount(service.database, ['tenant.tags.write']);
  const tags = await createTags(service.database, tenantId, WRITERS);
  const load = scene.program<RequestCalls>('loads/requests');
  const lanes = tags.map((id, index) => ({
    path: `/api/v1/tags/${id}?tenantId=${tenantId}`,
    bodies: ['Workshop', 'Garage'].map((name) => ({ name: `${name} ${index}` })),
  }));
  const change = (seconds: number) => load.call('change', { url: service.url, headers: { 'x-api-key': apiKey }, lanes, seconds });

  const round = async (isChained: boolean): Promise<Round> => {
    await setChaining(service.database, isChained);
    await change(WARM_UP_SECONDS);
    return countedRound(
      () => service.cpuSeconds(),
      () => change(SECONDS),
    );
  };
  const rounds = await inTurns(ROUNDS, { without: () => round(false), chained: () => round(true) });
  const [without, chained] = [new Side(rounds.without), new Side(rounds.chained)];
  return {
    goal: 20,
    what: `changes of one tenant, ${WRITERS} at a time, chained in the change log: rate`,
    baseline: `${without.text}, p99 ${without.p99.toFixed(0)} ms`,
    measured: `${chained.text}, p99 ${chained.p99.toFixed(0)} ms`,
    value: chained.rate / without.rate,
    unit: '',
    better: 'higher',
    floor: 0.9,
    aim: 0.97,
    notes: loadNotes(without, chained),
  };
}
