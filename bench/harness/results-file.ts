import { readFile, writeFile } from 'node:fs/promises';

const RESULTS = new URL('../../../bench/RESULTS.md', import.meta.url);
/** Begins the second part of the file. */
const ATTACKS_HEADING = '## Attacks';

/** Replaces the part of RESULTS.md about the goals. */
export async function writeGoals(report: string): Promise<void> {
  const { attacks } = await parts();
  await writeFile(RESULTS, attacks === '' ? report : `${report}\n${attacks}`);
}

/** Replaces the part of RESULTS.md about the attacks; the heading comes from here. */
export async function writeAttacks(report: string): Promise<void> {
  const { goals } = await parts();
  await writeFile(RESULTS, `${goals}${ATTACKS_HEADING}\n\n${report}`);
}

async function parts(): Promise<{ readonly goals: string; readonly attacks: string }> {
  const text = await readFile(RESULTS, 'utf8');
  const start = text.indexOf(ATTACKS_HEADING);
  return start === -1 ? { goals: `${text}\n`, attacks: '' } : { goals: text.slice(0, start), attacks: text.slice(start) };
}
