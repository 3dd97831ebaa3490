import type { CallsBaseline } from '../baselines/calls.js';
import type { Finding, Goal } from '../harness/finding.js';
import { Program } from '../harness/program.js';
import { inTurns } from '../harness/rounds.js';
import { countedRound, loadNotes, Side, type Round } from '../harness/side.js';
import { cpuSeconds } from '../harness/usage.js';
import type { CallersCalls } from '../loads/callers.js';
import type { EchoHubCalls } from '../loads/echo-hub.js';

const CONNECTIONS = [1, 10, 100];
const UNDER_WAY = [1, 20];
const ENCODINGS = ['json', 'messagepack'] as const;
const SECONDS = 0.5;
const WARM_UP_SECONDS = 0.3;
const ROUNDS = 3;

/** One call under way on a connection leaves nothing to put together; twenty do. */
const BOUNDS: Readonly<Record<number, Pick<Finding, 'floor' | 'aim'>>> = { 1: { floor: 0.6, aim: 0.8 }, 20: { floor: 0.9, aim: 1.5 } };

/** Goal 19: small calls of a hub without the service, in both encodings, compared with the least that answers them. */
export const hubCalls: Goal = {
  number: 19,
  title: 'calls of a hub a second',
  async measure() {
    const baseline = Program.start<CallsBaseline>(new URL('../baselines/calls.js', import.meta.url));
    const hub = Program.start<EchoHubCalls>(new URL('../loads/echo-hub.js', import.meta.url));
    const load = Program.start<CallersCalls>(new URL('../loads/callers.js', import.meta.url));
    try {
      const ports = { baseline: await baseline.call('start', undefined), hub: await hub.call('start', undefined) };
      // Both have to be compiled before the first row, which makes the fewest calls.
      for (const port of Object.values(ports)) {
        for (const encoding of ENCODINGS) await load.call('call', { port, connections: 10, underWay: 20, encoding, seconds: 1 });
      }
      const findings: Finding[] = [];
      for (const encoding of ENCODINGS) {
        for (const underWay of UNDER_WAY) {
          for (const connections of CONNECTIONS) {
            const play = async (port: number, pid: number): Promise<() => Promise<Round>> => {
              const callers = { port, connections, underWay, encoding };
              await load.call('call', { ...callers, seconds: WARM_UP_SECONDS });
              return () =>
                countedRound(
                  () => cpuSeconds(pid),
                  () => load.call('call', { ...callers, seconds: SECONDS }),
                );
            };
            const rounds = await inTurns(ROUNDS, {
              baseline: await play(ports.baseline, baseline.pid),
              hub: await play(ports.hub, hub.pid),
            });
            const [bare, measured] = [new Side(rounds.baseline), new Side(rounds.hub)];
            findings.push({
              goal: 19,
              what: `calls of ${connections} ${connections === 1 ? 'connection' : 'connections'}, ${underWay} under way on each, ${encoding}: rate`,
              baseline: bare.text,
              measured: `${measured.text}, p99 ${measured.p99.toFixed(1)} ms`,
              value: measured.rate / bare.rate,
              unit: '',
              better: 'higher',
              ...BOUNDS[underWay],
              notes: loadNotes(bare, measured),
            });
          }
        }
      }
      return findings;
    } finally {
      for (const program of [load, hub, baseline]) await program.stop();
    }
  },
};
