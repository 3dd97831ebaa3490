import 'reflect-metadata';

import { parseArgs } from 'node:util';

import { LocalPostgresError } from '#libs/local-postgres';

import { codeOf } from './platform/common/errors/system-error.js';
import { Clock } from './platform/common/runtime/clock.js';
import { ConfigurationError, loadSettings, type LoadedSettings } from './platform/config/load-settings.js';
import type { Settings } from './platform/config/settings.js';
import { dataPathOf } from './platform/database/visit-database.js';
import { explainStartFailure } from './start-failure.js';
import { UsageError } from './system/backups/program.js';
import { MAXIMUM_SILENCE_MS } from './system/doctor/echo/echo-token.js';
import { examine, reportOf, type DoctorReport } from './system/doctor/examination.js';
import { fault } from './system/doctor/finding.js';
import { EXIT_CODES, reportText } from './system/doctor/report-text.js';
import { withVisitedDatabase } from './system/doctor/visited-database.js';

/*
 * Examines the installation beside a service that runs or without one, and says what is wrong and what to do. It reads the configuration
 * of the service, and changes nothing. Exit codes: 0, no faults; 1, warnings; 2, failures; 3, the command line is wrong, or the doctor
 * itself failed.
 */

const USAGE = 'Usage: npm run doctor -- [--json] [--silence <seconds>]';
const BROKEN = 3;
/** Silence after which proxies with the usual time-out of a minute cut a connection, in milliseconds. */
const SILENCE_MS = 70_000;
/** Exit codes after a signal: 128 plus its number. */
const SIGNAL_EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** The configuration, or a report about its problems. */
function configuration(): LoadedSettings | DoctorReport {
  try {
    return loadSettings({ env: process.env, cwd: process.cwd() });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const findings = error.problems.map((problem) => fault('configuration-invalid', problem));
    return reportOf(findings, Date.now());
  }
}

/** @throws UsageError for a text that is no number of seconds within the limit */
function silenceOf(text: string | undefined): number {
  if (text === undefined) return SILENCE_MS;
  const milliseconds = /^\d{1,3}$/.test(text) ? Number(text) * 1000 : Number.POSITIVE_INFINITY;
  if (milliseconds > MAXIMUM_SILENCE_MS) throw new UsageError(`--silence: expected 0 to ${MAXIMUM_SILENCE_MS / 1000} seconds.`);
  return milliseconds;
}

async function report(silenceMs: number): Promise<DoctorReport> {
  const loaded = configuration();
  if ('findings' in loaded) return loaded;
  const settings = await withDataPath(loaded.settings);
  const probeNodes = settings.nodes.nats.length === 0 ? null : (await import('./live/nodes/examination/nodes-probe.js')).probeNodes;
  const asked = { settings, clock: new Clock(), probeNodes, isService: false, silenceMs, onSilence: () => announceSilence(silenceMs) };
  return withVisitedDatabase(settings, (database) => examine({ ...asked, database }));
}

/** The settings with the data folder of the service. Where it has none that it can use, the check of the database says so. */
async function withDataPath(settings: Settings): Promise<Settings> {
  try {
    return { ...settings, dataPath: await dataPathOf(settings) };
  } catch (error) {
    if (!(error instanceof LocalPostgresError)) throw error;
    return settings;
  }
}

function announceSilence(silenceMs: number): void {
  process.stderr.write(`Waiting for ${silenceMs / 1000} s, to see if the proxy keeps a silent connection. --silence 0 leaves that out.\n`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({ args: process.argv.slice(2), options: { json: { type: 'boolean' }, silence: { type: 'string' } } });
  const silenceMs = silenceOf(values.silence);
  // An exit also stops a bundled PostgreSQL that was started.
  for (const [signal, code] of Object.entries(SIGNAL_EXIT_CODES)) process.once(signal, () => process.exit(code));
  const found = await report(silenceMs);
  process.stdout.write(values.json === true ? `${JSON.stringify(found, null, 2)}\n` : `${reportText(found)}\n`);
  process.exitCode = EXIT_CODES[found.severity];
}

function isUsageError(error: unknown): error is Error {
  return error instanceof UsageError || (error instanceof TypeError && codeOf(error)?.startsWith('ERR_PARSE_ARGS') === true);
}

try {
  await main();
} catch (error) {
  process.stderr.write(isUsageError(error) ? `${error.message}\n${USAGE}\n` : `${explainStartFailure(error)}\n`);
  process.exitCode = BROKEN;
}
