import type { Finding } from '../harness/finding.js';
import { lackOf } from '../harness/bench-part.js';
import { DESKTOP_NEEDS, VNC_NEEDS, type DesktopBench } from './desktop-bench.js';
import { Desk, VncServer } from './desk.js';
import { ssim } from './ssim.js';
import { HEIGHT, SMOOTH_FONT, WIDTH } from './x-screen.js';

/** Time in which a screen that rests is refreshed, in milliseconds, on a busy machine. */
const REST_MS = 3_000;
/** Smooth text has more levels of brightness. */
const SMOOTH_LEVELS = 32;

interface Text {
  readonly what: string;
  readonly options: readonly string[];
  readonly isColoured: boolean;
}

const TEXTS: readonly Text[] = [
  { what: 'dark on white', options: ['-bg', 'white', '-fg', 'black', ...SMOOTH_FONT], isColoured: false },
  { what: 'coloured on black', options: ['-bg', 'black', '-fg', 'white', ...SMOOTH_FONT], isColoured: true },
];

/** Fills a terminal with words, each in a colour of its own or all in the usual one, and keeps them there. */
const wordsOf = (isColoured: boolean): string => `exec '${process.execPath}' -e '
  process.stdout.write("\\x1b[?25l");
  for (let word = 0; word < 2400; word += 1) {
    const colour = ${isColoured} ? "\\x1b[38;2;" + [word * 37, word * 91, 128 + word * 53].map((part) => 64 + part % 192).join(";") + "m" : "";
    process.stdout.write(colour + "word" + word * 7919 + (word % 17 === 16 ? "\\r\\n" : " "));
  }
  setInterval(() => undefined, 1000);'`;

/** R3: sharpness of text that does not move. */
export const sharpness: DesktopBench = {
  title: 'still text (R3)',
  needs: DESKTOP_NEEDS,
  measure: () =>
    Desk.play(async (desk) => {
      const server = lackOf(VNC_NEEDS) === null ? await VncServer.start(desk.screen) : null;
      try {
        const findings: Finding[] = [];
        for (const text of TEXTS) findings.push(await measured(desk, server, text));
        return { findings };
      } finally {
        await server?.stop();
      }
    }),
};

async function measured(desk: Desk, server: VncServer | null, text: Text): Promise<Finding> {
  const ours = await desk.withDesktop(async (page) => {
    await page.watch();
    return similarityOf(desk, page, text);
  });
  const vnc = server === null ? null : await desk.withVnc(server, (page) => similarityOf(desk, page, text));
  return {
    goal: 'R3',
    what: `still text, ${text.what}: similarity of the grey picture`,
    baseline: vnc === null ? '' : `${vnc.toFixed(3)} by TigerVNC`,
    measured: ours.toFixed(4),
    value: ours,
    unit: 'SSIM',
    better: 'higher',
    floor: 0.98,
    aim: 0.98,
    notes: [],
  };
}

async function similarityOf(
  { screen }: Desk,
  page: { pause(milliseconds: number): Promise<void>; grey(): Promise<Uint8Array> },
  { options, isColoured }: Text,
): Promise<number> {
  const terminal = screen.terminal(wordsOf(isColoured), ...options);
  try {
    await page.pause(REST_MS);
    const grey = await screen.grey();
    if (new Set(grey).size < SMOOTH_LEVELS) throw new Error('The terminal shows no smooth text.');
    return ssim(grey, await page.grey(), WIDTH, HEIGHT);
  } finally {
    await screen.end(terminal);
  }
}
