import { writeFile } from 'node:fs/promises';

import { growth } from './goals/growth.js';
import { heartbeatsBesideList } from './goals/heartbeats-beside-list.js';
import { heartbeats } from './goals/heartbeats.js';
import { idleAgents } from './goals/idle-agents.js';
import { lists } from './goals/lists.js';
import { keyCost, memoryRequests, rowRequests } from './goals/requests.js';
import { permissionCheck } from './goals/permission-check.js';
import { roundTrips } from './goals/round-trips.js';
import { search } from './goals/search.js';
import { start } from './goals/start.js';
import { streams } from './goals/streams.js';
import { transfers } from './goals/transfers.js';
import { verdictOf, type Finding, type Goal } from './harness/finding.js';
import { reportOf } from './harness/report.js';

const GOALS: readonly Goal[] = [
  heartbeats,
  roundTrips,
  idleAgents,
  memoryRequests,
  rowRequests,
  keyCost,
  lists,
  heartbeatsBesideList,
  permissionCheck,
  streams,
  transfers,
  start,
  search,
  growth,
];
const RESULTS = new URL('../../bench/RESULTS.md', import.meta.url);

/**
 * `npm run bench [-- goal …]` measures all goals, or those with the given numbers. A full run replaces RESULTS.md; a
 * partial run only prints. Exit code 1 when a floor was missed or a goal could not be measured.
 */
async function main(wanted: readonly string[]): Promise<boolean> {
  const goals = wanted.length === 0 ? GOALS : wanted.flatMap(goalsOf);
  const started = new Date();
  const findings: Finding[] = [];
  let isComplete = true;
  for (const goal of goals) {
    console.log(`Goal ${goal.number}: ${goal.title}`);
    try {
      findings.push(...(await goal.measure()));
    } catch (error) {
      isComplete = false;
      console.error(
        `Goal ${goal.number} could not be measured: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    }
  }
  const report = await reportOf(findings, started);
  console.log(report);
  if (wanted.length === 0 && isComplete) await writeFile(RESULTS, report);
  return isComplete && findings.every((finding) => verdictOf(finding) !== 'missed');
}

function goalsOf(text: string): Goal[] {
  const goals = GOALS.filter(({ number }) => String(number) === text);
  if (goals.length > 0) return goals;
  throw new Error(`There is no goal ${text}; there are ${[...new Set(GOALS.map(({ number }) => number))].join(', ')}.`);
}

// An interrupted bench also ends its programs.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
