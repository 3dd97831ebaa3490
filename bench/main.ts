import { measureAttack, type AttackResult } from './attacks/attack.js';
import { ATTACKS } from './attacks/index.js';
import { attackReportOf, isHeld } from './attacks/report.js';
import { DESKTOP_BENCHES } from './desktop/index.js';
import { desktopReportOf } from './desktop/report.js';
import { backup } from './goals/backup.js';
import { changeLog } from './goals/change-log.js';
import { crowd } from './goals/crowd.js';
import { growth } from './goals/growth.js';
import { heartbeatsBesideList } from './goals/heartbeats-beside-list.js';
import { heartbeats } from './goals/heartbeats.js';
import { hubCalls } from './goals/hub-calls.js';
import { idleAgents } from './goals/idle-agents.js';
import { lists } from './goals/lists.js';
import { keyCost, memoryRequests, rowRequests } from './goals/requests.js';
import { permissionCheck } from './goals/permission-check.js';
import { pushes } from './goals/pushes.js';
import { relay } from './goals/relay.js';
import { roundTrips } from './goals/round-trips.js';
import { search } from './goals/search.js';
import { start } from './goals/start.js';
import { streams } from './goals/streams.js';
import { tenantDeletion } from './goals/tenant-deletion.js';
import { transfers } from './goals/transfers.js';
import { lackOf, type BenchPart, type PartResult } from './harness/bench-part.js';
import { verdictOf, type Finding, type Goal } from './harness/finding.js';
import { reportOf } from './harness/report.js';
import { writeAttacks, writeDesktop, writeGoals, writeNodes, writeTelemetry, writeWeb } from './harness/results-file.js';
import { NODES_BENCHES } from './nodes/index.js';
import { nodesReportOf } from './nodes/report.js';
import { TELEMETRY_BENCHES } from './telemetry/index.js';
import { telemetryReportOf } from './telemetry/report.js';
import { WEB_BENCHES } from './web/index.js';
import { isHeld as isBudgetHeld, type Measurement, type WebBench } from './web/measurement.js';
import { type Beginning, beginning, webReportOf } from './web/report.js';

const GOALS: readonly Goal[] = [
  heartbeats,
  pushes,
  roundTrips,
  relay,
  hubCalls,
  idleAgents,
  crowd,
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
  changeLog,
  backup,
  tenantDeletion,
];

/**
 * `npm run bench [-- goal …]` measures all goals, or those with the given numbers or words of their titles; `npm run bench -- attacks [word …]` all
 * attacks, or those whose titles have one of the words; `npm run bench -- web [word …]` the front end and `npm run bench -- desktop
 * [word …]` remote control in the same way, `npm run bench -- telemetry [word …]` what metrics and traces cost, `npm run bench -- nodes
 * [word …]` several nodes. A full run of one of them replaces its part of RESULTS.md; a partial run only prints. Exit code 1 when a
 * floor was missed, an attack or a budget was not held, or something could not be measured.
 */
function main([first, ...rest]: readonly string[]): Promise<boolean> {
  if (first === 'attacks') return runAttacks(rest);
  if (first === 'web') return runMeasured({ ...WEB, words: rest });
  if (first === 'desktop') return runParts({ ...DESKTOP, words: rest });
  if (first === 'nodes') return runParts({ ...NODES, words: rest });
  if (first === 'telemetry') return runTelemetry(rest);
  return runGoals(first === undefined ? [] : [first, ...rest]);
}

async function runAttacks(words: readonly string[]): Promise<boolean> {
  const attacks = titled(ATTACKS, words);
  const started = new Date();
  const results: AttackResult[] = [];
  let isComplete = true;
  for (const attack of attacks) {
    console.log(`Attack: ${attack.title}`);
    try {
      results.push(...(await measureAttack(attack)));
    } catch (error) {
      isComplete = false;
      console.error(`It could not be measured: ${textOf(error)}`);
    }
  }
  const report = await attackReportOf(results, started);
  console.log(report);
  if (words.length === 0 && isComplete) await writeAttacks(report);
  return isComplete && results.every(isHeld);
}

/** Measurements that have a table of their own. */
interface Measured {
  readonly name: string;
  readonly about: string;
  readonly benches: readonly WebBench[];
  readonly write: (report: string) => Promise<void>;
}

const WEB: Measured = {
  name: 'Front end',
  about:
    'Written by `npm run bench -- web`. The built front end in a real browser, with the real service and its database on the same\n' +
    'machine. A figure is the median of its runs. kB are 1,000 bytes as sent: gzip, unless the row says brotli.',
  benches: WEB_BENCHES,
  write: writeWeb,
};

async function runMeasured({ name, about, benches, write, words }: Measured & { readonly words: readonly string[] }): Promise<boolean> {
  const begun = beginning();
  const measurements: Measurement[] = [];
  let isComplete = true;
  for (const bench of titled(benches, words)) {
    console.log(`${name}: ${bench.title}`);
    try {
      measurements.push(...(await bench.measure()));
    } catch (error) {
      isComplete = false;
      console.error(`It could not be measured: ${textOf(error)}`);
    }
  }
  const report = await webReportOf(about, measurements, begun);
  console.log(report);
  if (words.length === 0 && isComplete) await write(report);
  return isComplete && measurements.every((measurement) => isBudgetHeld(measurement) !== false);
}

/** Goals that need programs that a machine may lack, and their report. */
interface Parts {
  readonly name: string;
  readonly parts: readonly BenchPart[];
  readonly reportOf: (results: readonly PartResult[], begun: Beginning) => Promise<string>;
  readonly write: (report: string) => Promise<void>;
}

const DESKTOP: Parts = { name: 'Remote control', parts: DESKTOP_BENCHES, reportOf: desktopReportOf, write: writeDesktop };

const NODES: Parts = { name: 'Several nodes', parts: NODES_BENCHES, reportOf: nodesReportOf, write: writeNodes };

async function runParts({ name, parts, reportOf: render, write, words }: Parts & { readonly words: readonly string[] }): Promise<boolean> {
  const begun = beginning();
  const results: PartResult[] = [];
  let isComplete = true;
  for (const part of titled(parts, words)) {
    console.log(`${name}: ${part.title}`);
    const lack = lackOf(part.needs);
    if (lack !== null) {
      console.log(`Skipped: ${lack}.`);
      results.push({ findings: [], skipped: [`${part.title}: ${lack}.`] });
      continue;
    }
    try {
      results.push(await part.measure());
    } catch (error) {
      isComplete = false;
      console.error(`It could not be measured: ${textOf(error)}`);
    }
  }
  const report = await render(results, begun);
  console.log(report);
  const isMeasured = isComplete && results.some(({ findings }) => findings.length > 0);
  if (words.length === 0 && isMeasured) await write(report);
  return isComplete && results.every(({ findings }) => findings.every((finding) => verdictOf(finding) !== 'missed'));
}

async function runTelemetry(words: readonly string[]): Promise<boolean> {
  const begun = beginning();
  const findings: Finding[] = [];
  let isComplete = true;
  for (const bench of titled(TELEMETRY_BENCHES, words)) {
    console.log(`Telemetry: ${bench.title}`);
    try {
      findings.push(...(await bench.measure()));
    } catch (error) {
      isComplete = false;
      console.error(`It could not be measured: ${textOf(error)}`);
    }
  }
  const report = await telemetryReportOf(findings, begun);
  console.log(report);
  if (words.length === 0 && isComplete) await writeTelemetry(report);
  return isComplete && findings.every((finding) => verdictOf(finding) !== 'missed');
}

async function runGoals(wanted: readonly string[]): Promise<boolean> {
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
      console.error(`Goal ${goal.number} could not be measured: ${textOf(error)}`);
    }
  }
  const report = await reportOf(findings, started);
  console.log(report);
  if (wanted.length === 0 && isComplete) await writeGoals(report);
  return isComplete && findings.every((finding) => verdictOf(finding) !== 'missed');
}

/** All of them, or those whose titles have one of the words. */
function titled<T extends { readonly title: string }>(all: readonly T[], words: readonly string[]): readonly T[] {
  return words.length === 0 ? all : all.filter(({ title }) => words.some((word) => title.includes(word)));
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function goalsOf(text: string): Goal[] {
  const goals = GOALS.filter(({ number, title }) => String(number) === text || title.split(' ').includes(text));
  if (goals.length > 0) return goals;
  throw new Error(`There is no goal ${text}; there are ${[...new Set(GOALS.map(({ number }) => number))].join(', ')}.`);
}

// An interrupted bench also ends its programs.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
