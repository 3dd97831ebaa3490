import { execFile } from 'node:child_process';
import { loadavg } from 'node:os';
import { promisify } from 'node:util';

import { CHROMIUM_PATH } from '../../demo/chromium.js';
import { circumstances } from '../harness/report.js';
import { isHeld, type Measurement, type Unit } from './measurement.js';

/** The figures in Markdown: what they are, where and when they were measured, and one row per figure. */
export async function webReportOf(about: string, measurements: readonly Measurement[], begun: Beginning): Promise<string> {
  const notes = [...new Set(measurements.flatMap((measurement) => measurement.notes ?? []))];
  return `${about}

${await circumstances(begun.at)}
- Browser: ${await browserVersion()}, without a graphics card
- Load of the machine when it began: ${begun.load.toFixed(1)}, when it ended: ${loadNow().toFixed(1)}; above 0.5 other programs were at work, and times and frames are too long

| What | Measured | Budget | |
| ---- | -------- | ------ | - |
${measurements.map((measurement) => row(measurement, notes)).join('\n')}
${notes.length === 0 ? '' : `\n${notes.map((note, index) => `${index + 1}. ${note}`).join('\n')}\n`}`;
}

/** Time at which a run began, and the machine's load then. */
export interface Beginning {
  readonly at: Date;
  /** Programs that wanted a processor, on average over the minute before. */
  readonly load: number;
}

export const beginning = (): Beginning => ({ at: new Date(), load: loadNow() });

/** Programs that want a processor, on average over the last minute. */
export const loadNow = (): number => loadavg()[0] ?? 0;

async function browserVersion(): Promise<string> {
  const { stdout } = await promisify(execFile)(CHROMIUM_PATH, ['--version']);
  return stdout.trim();
}

function row(measurement: Measurement, notes: readonly string[]): string {
  const { what, value, unit, more, atMost, atLeast } = measurement;
  const marks = (measurement.notes ?? []).map((note) => `(${notes.indexOf(note) + 1})`).join(' ');
  const held = isHeld(measurement);
  const bounds = [
    ...(atMost === undefined ? [] : [`≤ ${withUnit(atMost, unit)}`]),
    ...(atLeast === undefined ? [] : [`≥ ${withUnit(atLeast, unit)}`]),
  ];
  const cells = [
    marks === '' ? what : `${what} ${marks}`,
    `${withUnit(rounded(value), unit)}${more === undefined ? '' : `, ${more}`}`,
    bounds.length === 0 ? '–' : bounds.join(', '),
    held === null ? '' : held ? 'held' : '**not held**',
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Rounds to three significant digits, or to an integer. */
const rounded = (value: number): number => (Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3)));

const withUnit = (amount: number, unit: Unit): string => `${amount.toLocaleString('en-US')}${unit === '' ? '' : ` ${unit}`}`;
