import { setTimeout as delay } from 'node:timers/promises';

import { median } from '../harness/rounds.js';
import { cpuSeconds } from '../harness/usage.js';
import { lackOf } from '../harness/bench-part.js';
import { DESKTOP_NEEDS, VNC_NEEDS, type DesktopBench } from './desktop-bench.js';
import { Desk, VncServer } from './desk.js';

const ROUNDS = 3;
const SETTLING_MS = 4_000;
const SECONDS = 20;

/** R4: processor time of a session whose screen does not change. */
export const still: DesktopBench = {
  title: 'still screen (R4)',
  needs: DESKTOP_NEEDS,
  measure: () =>
    Desk.play(async (desk) => {
      const terminal = desk.screen.terminal(`printf '\\033[?25lready'; exec cat > /dev/null`);
      const server = lackOf(VNC_NEEDS) === null ? await VncServer.start(desk.screen) : null;
      try {
        const rounds: { readonly session: number; readonly agent: number; readonly vnc: number | null }[] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          const [session, agent] = await desk.withDesktop(async () => sharesOf(await desk.sessionProcess(), desk.agent.pid));
          const [vnc = null] = server === null ? [] : await desk.withVnc(server, () => sharesOf(server.pid));
          rounds.push({ session, agent, vnc });
        }
        const value = median(rounds.map(({ session }) => session));
        const agent = median(rounds.map((round) => round.agent));
        const vnc = rounds.flatMap((round) => (round.vnc === null ? [] : [round.vnc]));
        const finding = {
          goal: 'R4',
          what: 'still screen: processor time of the session',
          baseline: vnc.length === 0 ? '' : `${median(vnc).toFixed(2)} % by x0vncserver`,
          measured: `${value.toFixed(2)} %, beside ${agent.toFixed(2)} % of the agent itself`,
          value,
          unit: '%',
          better: 'lower',
          floor: 0.5,
          aim: 0.2,
          notes: [],
        } as const;
        return { findings: [finding] };
      } finally {
        await server?.stop();
        await desk.screen.end(terminal);
      }
    }),
};

/** The share of a processor that each of the processes takes, in per cent. */
async function sharesOf(...processes: readonly number[]): Promise<number[]> {
  await delay(SETTLING_MS);
  const begun = performance.now();
  const before = await Promise.all(processes.map(cpuSeconds));
  await delay(SECONDS * 1000);
  const after = await Promise.all(processes.map(cpuSeconds));
  const seconds = (performance.now() - begun) / 1000;
  return after.map((time, index) => ((time - before[index]) / seconds) * 100);
}
