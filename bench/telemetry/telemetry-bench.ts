import type { RepeatableGoal } from '../goals/repeatable.js';
import type { Finding } from '../harness/finding.js';
import { rateOf } from '../harness/load.js';
import { inTurns, median } from '../harness/rounds.js';
import { Scene } from '../harness/scene.js';
import { loadNotes, Side, type Round } from '../harness/side.js';
import { OFF, Receiver, withTraces, type TelemetrySettings } from './settings.js';

/** A scraper asks more often than the usual 15 s, so that its cost is in every round. */
const SCRAPE_INTERVAL_MS = 1_000;
const ROUNDS = 7;

/** A goal that is measured with telemetry off and on. */
export interface TelemetryBench {
  readonly title: string;
  measure(): Promise<readonly Finding[]>;
}

/** A goal with every trace recorded: a service with and one without telemetry take turns, each with a database of its own. */
export function everyTraceBench({ goal, title, devices, prepare }: RepeatableGoal): TelemetryBench {
  const measure = async (): Promise<readonly Finding[]> => {
    const receiver = await Receiver.open();
    try {
      const settings = { off: OFF, traced: await withTraces(receiver, 1) };
      const rounds = await playAll(Object.values(settings), devices, async (scenes) => {
        const loads = await Promise.all(scenes.map(prepare));
        const [off, traced] = loads.map((run, index) => scraped(Object.values(settings)[index].metricsPort, run));
        return inTurns(ROUNDS, { off, traced });
      });
      const [without, withIt] = [new Side(rounds.off), new Side(rounds.traced)];
      return [
        {
          goal,
          what: `${title}: metrics, and every trace`,
          baseline: without.text,
          measured: `${withIt.text} (${(withIt.cpu / without.cpu).toFixed(2)}×)`,
          // Rounds of one turn are close in time, so that both sides had the same machine.
          value: median(rounds.traced.map(({ load }, turn) => rateOf(load) / rateOf(rounds.off[turn].load))),
          unit: '',
          better: 'higher',
          floor: 0.3,
          aim: 0.6,
          notes: loadNotes(without, withIt),
        },
      ];
    } finally {
      receiver.close();
    }
  };
  return { title, measure };
}

/** Sets up one scene for each of the settings, runs `act` with all of them, and cleans up. */
function playAll<T>(
  [first, ...rest]: readonly TelemetrySettings[],
  devices: number,
  act: (scenes: readonly Scene[]) => Promise<T>,
): Promise<T> {
  return Scene.play(
    devices,
    (scene) => (rest.length === 0 ? act([scene]) : playAll(rest, devices, (others) => act([scene, ...others]))),
    first.variables,
  );
}

/** A round during which a scraper asks for the metrics of that port. */
function scraped(port: number, run: () => Promise<Round>): () => Promise<Round> {
  if (port === 0) return run;
  const scrape = async (): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    if (answer.status !== 200) throw new Error(`The metrics were answered with ${answer.status}.`);
    await answer.text();
  };
  return async () => {
    const scrapes: Promise<void>[] = [];
    const timer = setInterval(() => scrapes.push(scrape()), SCRAPE_INTERVAL_MS);
    try {
      return await run();
    } finally {
      clearInterval(timer);
      await Promise.all(scrapes);
    }
  };
}
