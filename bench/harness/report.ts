import { execFile } from 'node:child_process';
import { arch, cpus, release, totalmem, type as systemType } from 'node:os';
import { promisify } from 'node:util';

import { verdictOf, type Finding } from './finding.js';

const run = promisify(execFile);
const GIB = 1_073_741_824;

const VERDICTS = { aim: 'aim reached', floor: 'floor reached', missed: '**floor missed**' } as const;

/** The results in Markdown: where and when they were measured, and one row per finding. */
export async function reportOf(findings: readonly Finding[], started: Date): Promise<string> {
  return `# Results of the bench

Written by \`npm run bench\`. Baseline and service take turns in the same run; a figure is the median of its rounds. Times in µs are
processor time of the server for one operation.

${await circumstances(started)}

${tableOf(findings)}`;
}

/** One row per finding, and the notes below them. */
export function tableOf(findings: readonly Finding[], measured = 'Service'): string {
  const notes = [...new Set(findings.flatMap((finding) => finding.notes))];
  return `| Goal | What | Baseline | ${measured} | Value | Floor | Aim | Verdict |
| ---- | ---- | -------- | ${'-'.repeat(measured.length)} | ----- | ----- | --- | ------- |
${findings.map((finding) => row(finding, notes)).join('\n')}
${notes.length === 0 ? '' : `\n${notes.map((note, index) => `${index + 1}. ${note}`).join('\n')}\n`}`;
}

/** Lists the date, commit and machine of a measurement. */
export async function circumstances(started: Date): Promise<string> {
  return `- Date: ${started.toISOString().slice(0, 16).replace('T', ' ')} UTC
- Commit: ${await commit()}
- Machine: ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${(totalmem() / GIB).toFixed(0)} GiB, ${systemType()} ${release()} ${arch()}
- Node ${process.versions.node}, bundled PostgreSQL on the same machine, loopback, no TLS`;
}

function row(finding: Finding, notes: readonly string[]): string {
  const { goal, what, baseline, measured, value, unit, better } = finding;
  const bound = (amount: number): string => `${better === 'higher' ? '≥' : '≤'} ${withUnit(amount, unit)}`;
  const marks = finding.notes.map((note) => `(${notes.indexOf(note) + 1})`).join(' ');
  const cells = [
    goal,
    marks === '' ? what : `${what} ${marks}`,
    baseline === '' ? '–' : baseline,
    measured,
    withUnit(Number(value.toPrecision(3)), unit),
    bound(finding.floor),
    bound(finding.aim),
    VERDICTS[verdictOf(finding)],
  ];
  return `| ${cells.join(' | ')} |`;
}

function withUnit(amount: number, unit: Finding['unit']): string {
  return unit === '' ? `${amount}×` : `${amount} ${unit}`;
}

async function commit(): Promise<string> {
  try {
    const { stdout } = await run('git', ['describe', '--always', '--dirty', '--abbrev=12']);
    return stdout.trim();
  } catch {
    return 'not in a checkout';
  }
}
