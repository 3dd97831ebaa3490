import 'reflect-metadata';

import { parseArgs } from 'node:util';

import { Clock } from './platform/common/runtime/clock.js';
import { ConfigurationError, loadSettings, type LoadedSettings } from './platform/config/load-settings.js';
import { explainStartFailure } from './start-failure.js';
import { examine, reportOf, type DoctorReport } from './system/doctor/examination.js';
import { fault } from './system/doctor/finding.js';
import { EXIT_CODES, reportText } from './system/doctor/report-text.js';
import { withVisitedDatabase } from './system/doctor/visited-database.js';

/*
 * Examines the installation beside a service that runs or without one, and says what is wrong and what to do. It reads the configuration
 * of the service, and changes nothing. Exit codes: 0, no faults; 1, warnings; 2, failures; 3, the command line is wrong, or the doctor
 * itself failed.
 */

const USAGE = 'Usage: npm run doctor -- [--json]';
const BROKEN = 3;
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

async function report(): Promise<DoctorReport> {
  const loaded = configuration();
  if ('findings' in loaded) return loaded;
  const { settings } = loaded;
  return withVisitedDatabase(settings, (database) => examine({ settings, database, clock: new Clock() }));
}

async function main(): Promise<void> {
  const { values } = parseArgs({ args: process.argv.slice(2), options: { json: { type: 'boolean' } } });
  // An exit also stops a bundled PostgreSQL that was started.
  for (const [signal, code] of Object.entries(SIGNAL_EXIT_CODES)) process.once(signal, () => process.exit(code));
  const found = await report();
  process.stdout.write(values.json === true ? `${JSON.stringify(found, null, 2)}\n` : `${reportText(found)}\n`);
  process.exitCode = EXIT_CODES[found.severity];
}

try {
  await main();
} catch (error) {
  const isUsage = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  process.stderr.write(isUsage ? `${error.message}\n${USAGE}\n` : `${explainStartFailure(error)}\n`);
  process.exitCode = BROKEN;
}
