import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { fileOf, type Need, type PartResult } from '../harness/bench-part.js';
import { circumstances, tableOf } from '../harness/report.js';
import { type Beginning, loadNow } from '../web/report.js';
import { NATS } from './nats-servers.js';

/** The results in Markdown: where and when they were measured, one row per figure, and what was skipped. */
export async function nodesReportOf(results: readonly PartResult[], begun: Beginning): Promise<string> {
  const skipped = results.flatMap((result) => result.skipped ?? []);
  return `Written by \`npm run bench -- nodes\`. Three nodes, PostgreSQL, NATS with the shipped configuration and the loads are processes of one machine.
Both sides of a row were measured in the same run, in turns; a figure is the median of its rounds. Processor time is that of all nodes and of NATS,
for one operation, unless the row says more.

${await circumstances(begun.at)}
- NATS: ${await versionOf(NATS, '--version')}
- Load of the machine when it began: ${begun.load.toFixed(1)}, when it ended: ${loadNow().toFixed(1)}; above 0.5 other programs were at work

${tableOf(
  results.flatMap(({ findings }) => findings),
  'Several nodes',
)}${skipped.length === 0 ? '' : `\nNot measured:\n\n${skipped.map((sentence) => `- ${sentence}`).join('\n')}\n`}`;
}

async function versionOf({ program }: Need, argument: string): Promise<string> {
  const file = fileOf(program);
  if (file === undefined) return 'none';
  const { stdout } = await promisify(execFile)(file, [argument]);
  return stdout.trim();
}
