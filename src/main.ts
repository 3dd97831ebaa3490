import { isatty } from 'node:tty';

import { createDataDirectory, resolveDataDirectory } from '#libs/local-postgres';

import { keepCompiledCode } from './compile-cache.js';
import type { ServiceLogger } from './platform/common/runtime/service-logger.js';
import { LiveSettings } from './platform/config/live-settings.js';
import { loadSettings, type LoadedSettings } from './platform/config/load-settings.js';
import type { Settings } from './platform/config/settings.js';
import { drainTimes, longestStopMs } from './platform/node/drain-times.js';
import { SettingsReload } from './settings-reload.js';
import { explainStartFailure } from './start-failure.js';

/*
 * Loading the service takes most of a start. So it is loaded last: a wrong option or a wrong data folder is reported at once, and the
 * bundled database starts at the same time.
 */

/** Exit codes of a process that a signal ended: 128 plus the signal's number. */
const SIGNAL_EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** In a terminal SIGHUP says that the terminal is gone, and ends the service. Elsewhere it asks for the configuration to be read again. */
const isTerminal = isatty(process.stdout.fd);
const { SIGHUP, ...others } = SIGNAL_EXIT_CODES;
const endingSignals = isTerminal ? { SIGHUP, ...others } : others;

async function main(): Promise<void> {
  const stopExiting = exitOnSignals();
  const reloads = isTerminal ? null : reloadsOnHangup();
  const read = (): LoadedSettings => loadSettings({ env: process.env, cwd: process.cwd() });
  const { settings: configured, warnings } = read();
  const { createLogger } = await import('./platform/common/runtime/service-logger.js');
  const logger = createLogger(configured.logging, { isTerminal });
  for (const warning of warnings) logger.warn(warning);
  const live = new LiveSettings(await withDataDirectory(configured, logger));
  keepCompiledCode(live.view.dataPath);
  const { openConnection } = await import('./platform/database/open-connection.js');
  const [connection, { serve }] = await Promise.all([openConnection(live.view), import('./serve.js')]);
  await serve(live.view, connection, logger, {
    endingSignals: Object.keys(endingSignals),
    onEntering: () => {
      stopExiting();
      return superviseStop(longestStopMs(drainTimes(live.view.nodes.nats.length > 0, live.view.nodes)));
    },
  });
  reloads?.begin(new SettingsReload(configured, live, read, logger));
}

/** Takes the signal from the first moment, when it would end the process. A reload that was asked for during the start comes after it. */
function reloadsOnHangup(): { begin(reload: SettingsReload): void } {
  let isAsked = false;
  const note = (): void => void (isAsked = true);
  process.on('SIGHUP', note);
  return {
    begin(reload) {
      process.on('SIGHUP', () => reload.run());
      process.removeListener('SIGHUP', note);
      if (isAsked) reload.run();
    },
  };
}

/** The settings with the actual data folder: the default one moves when the bundled database cannot enter it. */
async function withDataDirectory(settings: Settings, logger: ServiceLogger): Promise<Settings> {
  if (settings.database.kind !== 'bundled') return { ...settings, dataPath: await createDataDirectory(settings.dataPath) };
  const { path, notices } = await resolveDataDirectory(settings.dataPath, { explicit: settings.dataPathIsExplicit });
  for (const notice of notices) logger.warn(notice);
  return { ...settings, dataPath: path };
}

/** Until the process enters the list of nodes, signals end it by `exit`, which also stops a PostgreSQL that was started. */
function exitOnSignals(): () => void {
  const listeners = Object.entries(endingSignals).map(([signal, code]) => [signal, () => process.exit(code)] as const);
  for (const [signal, exit] of listeners) process.once(signal, exit);
  return () => {
    for (const [signal, exit] of listeners) process.removeListener(signal, exit);
  };
}

/**
 * Keeps the first signal until the application can stop: the returned function raises it then, and returns true if there was one. Ends the
 * process at once on another signal: its sender does not want to wait. Ends it as well when the stop takes too long: a database that is
 * silent holds it up.
 */
function superviseStop(longestMs: number): () => boolean {
  let asked: string | null = null;
  for (const [signal, code] of Object.entries(endingSignals)) {
    process.on(signal, () => {
      if (asked !== null) process.exit(code);
      exitAfter(longestMs);
      asked = signal;
    });
  }
  return () => {
    const kept = asked;
    asked = null;
    if (kept !== null) process.kill(process.pid, kept);
    return kept !== null;
  };
}

function exitAfter(milliseconds: number): void {
  const giveUp = (): void => {
    console.error(`The service has not stopped within ${Math.round(milliseconds / 1_000)} s, and ends now.`);
    process.exit(1);
  };
  setTimeout(giveUp, milliseconds).unref();
}

main().catch((error: unknown) => {
  console.error(explainStartFailure(error));
  process.exit(1);
});
