import { readFile, writeFile } from 'node:fs/promises';

const RESULTS = new URL('../../../bench/RESULTS.md', import.meta.url);

/** The parts after that of the goals, in their order, each with the heading that it begins with. */
const HEADINGS = {
  attacks: '## Attacks',
  web: '## Front end',
  desktop: '## Remote control',
  telemetry: '## Telemetry',
  nodes: '## Several nodes',
} as const;

type HeadedPart = keyof typeof HEADINGS;
type Part = 'goals' | HeadedPart;

const HEADED = Object.keys(HEADINGS) as readonly HeadedPart[];
const PARTS: readonly Part[] = ['goals', ...HEADED];

/** Replaces the part of RESULTS.md about the goals. */
export const writeGoals = (report: string): Promise<void> => replace('goals', report);

/** Replaces the part about the attacks; its heading comes from here. */
export const writeAttacks = (report: string): Promise<void> => replaceHeaded('attacks', report);

/** Replaces the part about the front end; its heading comes from here. */
export const writeWeb = (report: string): Promise<void> => replaceHeaded('web', report);

/** Replaces the part about remote control; its heading comes from here. */
export const writeDesktop = (report: string): Promise<void> => replaceHeaded('desktop', report);

/** Replaces the part about the cost of metrics and traces; its heading comes from here. */
export const writeTelemetry = (report: string): Promise<void> => replaceHeaded('telemetry', report);

/** Replaces the part about several nodes; its heading comes from here. */
export const writeNodes = (report: string): Promise<void> => replaceHeaded('nodes', report);

const replaceHeaded = (part: HeadedPart, report: string): Promise<void> => replace(part, `${HEADINGS[part]}\n\n${report}`);

async function replace(part: Part, report: string): Promise<void> {
  const parts: Record<Part, string> = { ...partsOf(await readFile(RESULTS, 'utf8')), [part]: report };
  const texts = PARTS.map((each) => parts[each].trimEnd()).filter((written) => written !== '');
  await writeFile(RESULTS, `${texts.join('\n\n')}\n`);
}

function partsOf(text: string): Record<Part, string> {
  const starts = new Map<Part, number>(HEADED.map((part) => [part, text.indexOf(`${HEADINGS[part]}\n`)]));
  starts.set('goals', 0);
  /** Returns the text from a start to the next one, or to the end. */
  const from = (start: number): string => {
    const later = [...starts.values()].filter((other) => other > start);
    return text.slice(start, later.length === 0 ? undefined : Math.min(...later));
  };
  const partOf = (part: Part): string => {
    const start = starts.get(part) ?? -1;
    return start === -1 ? '' : from(start);
  };
  return {
    goals: partOf('goals'),
    attacks: partOf('attacks'),
    web: partOf('web'),
    desktop: partOf('desktop'),
    telemetry: partOf('telemetry'),
    nodes: partOf('nodes'),
  };
}
