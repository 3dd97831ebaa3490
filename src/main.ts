import { isatty } from 'node:tty';

import { createDataDirectory, resolveDataDirectory } from '#libs/local-postgres';

import { keepCompiledCode } from './compile-cache.js';
import type { ServiceLogger } from './platform/common/runtime/service-logger.js';
import { loadSettings } from './platform/config/load-settings.js';
import type { Settings } from './platform/config/settings.js';
import { explainStartFailure } from './start-failure.js';

/*
 * Loading the service takes most of a start. So it is loaded last: a wrong option or a wrong data folder is reported at once, and the
 * bundled database starts at the same time.
 */

/** Exit codes of a process that a signal ended: 128 plus the signal's number. */
const SIGNAL_EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

async function main(): Promise<void> {
  const stopExiting = exitOnSignals();
  const { settings: configured, warnings } = loadSettings({ env: process.env, cwd: process.cwd() });
  const { createLogger } = await import('./platform/common/runtime/service-logger.js');
  const logger = createLogger(configured.logging, { isTerminal: isatty(process.stdout.fd) });
  for (const warning of warnings) logger.warn(warning);
  const settings = await withDataDirectory(configured, logger);
  keepCompiledCode(settings.dataPath);
  const { openConnection } = await import('./platform/database/open-connection.js');
  const [connection, { serve }] = await Promise.all([openConnection(settings), import('./serve.js')]);
  await serve(settings, connection, logger, () => {
    stopExiting();
    exitOnSecondSignal();
  });
}

/** The settings with the actual data folder: the default one moves when the bundled database cannot enter it. */
async function withDataDirectory(settings: Settings, logger: ServiceLogger): Promise<Settings> {
  if (settings.database.kind !== 'bundled') return { ...settings, dataPath: await createDataDirectory(settings.dataPath) };
  const { path, notices } = await resolveDataDirectory(settings.dataPath, { explicit: settings.dataPathIsExplicit });
  for (const notice of notices) logger.warn(notice);
  return { ...settings, dataPath: path };
}

/** Until the application can stop gracefully, signals end the process by `exit`, which also stops a PostgreSQL that was started. */
function exitOnSignals(): () => void {
  const listeners = Object.entries(SIGNAL_EXIT_CODES).map(([signal, code]) => [signal, () => process.exit(code)] as const);
  for (const [signal, exit] of listeners) process.once(signal, exit);
  return () => {
    for (const [signal, exit] of listeners) process.removeListener(signal, exit);
  };
}

/** Ends the process at once on another signal while the application stops: its sender does not want to wait. */
function exitOnSecondSignal(): void {
  let isStopping = false;
  for (const [signal, code] of Object.entries(SIGNAL_EXIT_CODES)) {
    process.on(signal, function again() {
      // The framework listens until everything has stopped, and then raises the signal once more.
      const hasStopped = isStopping && process.listenerCount(signal) === 1;
      if (isStopping && !hasStopped) process.exit(code);
      isStopping = true;
      if (!hasStopped) return;
      process.removeListener(signal, again);
      process.kill(process.pid, signal);
    });
  }
}

main().catch((error: unknown) => {
  console.error(explainStartFailure(error));
  process.exit(1);
});
