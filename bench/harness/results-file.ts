import { readFile, writeFile } from 'node:fs/promises';

const RESULTS = new URL('../../../bench/RESULTS.md', import.meta.url);

/** The parts after that of the goals, in their order, each with the heading that it begins with. */
const HEADINGS = { attacks: '## Attacks', web: '## Front end', desktop: '## Remote control', telemetry: '## Telemetry' } as const;

type Part = 'goals' | keyof typeof HEADINGS;

/** Replaces the part of RESULTS.md about the goals. */
export const writeGoals = (report: string): Promise<void> => replace('goals', report);

/** Replaces the part about the attacks; its heading comes from here. */
export const writeAttacks = (report: string): Promise<void> => replace('attacks', `${HEADINGS.attacks}\n\n${report}`);

/** Replaces the part about the front end; its heading comes from here. */
export const writeWeb = (report: string): Promise<void> => replace('web', `${HEADINGS.web}\n\n${report}`);

/** Replaces the part about remote control; its heading comes from here. */
export const writeDesktop = (report: string): Promise<void> => replace('desktop', `${HEADINGS.desktop}\n\n${report}`);

/** Replaces the part about the cost of metrics and traces; its heading comes from here. */
export const writeTelemetry = (report: string): Promise<void> => replace('telemetry', `${HEADINGS.telemetry}\n\n${report}`);

async function replace(part: Part, report: string): Promise<void> {
  const parts = { ...partsOf(await readFile(RESULTS, 'utf8')), [part]: report };
  const texts = [parts.goals, parts.attacks, parts.web, parts.desktop, parts.telemetry]
    .map((written) => written.trimEnd())
    .filter((written) => written !== '');
  await writeFile(RESULTS, `${texts.join('\n\n')}\n`);
}

function partsOf(text: string): Record<Part, string> {
  const starts = {
    attacks: text.indexOf(`${HEADINGS.attacks}\n`),
    web: text.indexOf(`${HEADINGS.web}\n`),
    desktop: text.indexOf(`${HEADINGS.desktop}\n`),
    telemetry: text.indexOf(`${HEADINGS.telemetry}\n`),
  };
  /** Returns the text from a start to the next one, or to the end. */
  const from = (start: number): string => {
    const later = Object.values(starts).filter((other) => other > start);
    return text.slice(start, later.length === 0 ? undefined : Math.min(...later));
  };
  const partFrom = (start: number): string => (start === -1 ? '' : from(start));
  return {
    goals: from(0),
    attacks: partFrom(starts.attacks),
    web: partFrom(starts.web),
    desktop: partFrom(starts.desktop),
    telemetry: partFrom(starts.telemetry),
  };
}
