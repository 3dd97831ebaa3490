import type { Finding } from '../harness/finding.js';
import { inTurns, median } from '../harness/rounds.js';
import { forgetPeak, peakResidentBytes, residentBytes } from '../harness/usage.js';
import { lackOf } from '../harness/bench-part.js';
import { DESKTOP_NEEDS, VNC_NEEDS, type DesktopBench, type DesktopResult } from './desktop-bench.js';
import { Desk, VncServer } from './desk.js';
import type { DesktopPage, Traffic } from './desktop-page.js';

const ROUNDS = 3;
const SECONDS = 8;
const LINES_PER_SECOND = 50;
const SETTLING_MS = 2_000;
const PICTURES_OF_MANY_COLOURS = 40;
const PAUSE_MS = 100;
const KB = 1_000;
const MIB = 1_048_576;

interface Round {
  readonly traffic: Traffic;
  /** Resident memory of the session: at rest, its peak while text scrolls, and the same after pictures of many colours. */
  readonly memory: readonly number[];
}

/** R2, R3 and R5: text that scrolls over the whole screen, beside TigerVNC, and the memory that it takes. */
export const scrolling: DesktopBench = {
  title: 'scrolling text (R2, R3, R5)',
  needs: DESKTOP_NEEDS,
  measure: () =>
    Desk.play(async (desk) => {
      const lack = lackOf(VNC_NEEDS);
      const server = lack === null ? await VncServer.start(desk.screen) : null;
      try {
        const rounds = await inTurns(ROUNDS, {
          ours: () => desk.withDesktop((page) => scrolled(desk, page)),
          vnc: async () => (server === null ? null : vncScrolled(desk, server)),
        });
        const beside = rounds.vnc.filter((round) => round !== null);
        return resultOf(rounds.ours, beside, lack);
      } finally {
        await server?.stop();
      }
    }),
};

async function scrolled(desk: Desk, page: DesktopPage): Promise<Round> {
  const process = await desk.sessionProcess();
  const atRest = await residentBytes(process);
  await forgetPeak(process);
  const traffic = await whileScrolling(desk, page);
  const whileText = await peakResidentBytes(process);
  for (let step = 0; step < PICTURES_OF_MANY_COLOURS; step += 1) {
    await desk.screen.paintColours(step);
    await page.pause(PAUSE_MS);
  }
  const afterColours = await peakResidentBytes(process);
  await forgetPeak(process);
  await whileScrolling(desk, page);
  return { traffic, memory: [atRest, whileText, afterColours, await peakResidentBytes(process)] };
}

const vncScrolled = (desk: Desk, server: VncServer): Promise<Traffic> => desk.withVnc(server, (page) => whileScrolling(desk, page));

async function whileScrolling(
  { screen }: Desk,
  page: { pause(milliseconds: number): Promise<void>; traffic(seconds: number): Promise<Traffic> },
): Promise<Traffic> {
  const text = screen.scrollingText(LINES_PER_SECOND);
  try {
    await page.pause(SETTLING_MS);
    return await page.traffic(SECONDS);
  } finally {
    await screen.end(text);
  }
}

function resultOf(ours: readonly Round[], vnc: readonly Traffic[], lack: string | null): DesktopResult {
  const rateOf = (all: readonly Traffic[]): number => median(all.map(({ frames, seconds }) => frames / seconds));
  const sizeOf = (all: readonly Traffic[]): number => median(all.map(({ frames, bytes }) => bytes / frames / KB));
  const traffic = ours.map((round) => round.traffic);
  const memory = (index: number): number => median(ours.map((round) => round.memory[index])) / MIB;
  const what = 'text scrolls over the whole screen';
  const findings: Finding[] = [
    {
      goal: 'R2',
      what: `${what}: frames`,
      baseline: lack === null ? `${rateOf(vnc).toFixed(1)} frames/s by TigerVNC` : '',
      measured: `${rateOf(traffic).toFixed(1)} frames/s`,
      value: rateOf(traffic),
      unit: 'frames/s',
      better: 'higher',
      floor: 20,
      aim: 30,
      notes: [],
    },
    ...(lack === null
      ? [
          {
            goal: 'R3',
            what: `${what}: bytes a frame against TigerVNC`,
            baseline: `${sizeOf(vnc).toFixed(0)} kB`,
            measured: `${sizeOf(traffic).toFixed(0)} kB`,
            value: sizeOf(traffic) / sizeOf(vnc),
            unit: '',
            better: 'lower',
            floor: 0.8,
            aim: 0.4,
            notes: ['TigerVNC is x0vncserver with noVNC, which asks for Tight at quality 6, over the same screen, relay and page'],
          } as const,
        ]
      : []),
    {
      goal: 'R5',
      what: `${what}: peak of the session's memory`,
      baseline: `${memory(0).toFixed(0)} MiB at rest`,
      measured: `${memory(1).toFixed(0)} MiB`,
      value: memory(1),
      unit: 'MiB',
      better: 'lower',
      floor: 150,
      aim: 110,
      notes: [],
    },
    {
      goal: 'R5',
      what: `the same after pictures of many colours`,
      baseline: `${memory(2).toFixed(0)} MiB at their peak`,
      measured: `${memory(3).toFixed(0)} MiB`,
      value: memory(3),
      unit: 'MiB',
      better: 'lower',
      floor: 150,
      aim: 110,
      notes: [],
    },
  ];
  return { findings, skipped: lack === null ? [] : [`R3, bytes a frame against TigerVNC: ${lack}.`] };
}
