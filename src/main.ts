import { isatty } from 'node:tty';

import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

import { createDataDirectory, resolveDataDirectory } from '#libs/local-postgres';

import { AppModule } from './app.module.js';
import { setUpApplication } from './app.setup.js';
import { createLogger, type ServiceLogger } from './common/service-logger.js';
import { loadSettings } from './config/load-settings.js';
import type { Settings } from './config/settings.js';
import { DatabaseConnection } from './database/database-connection.js';
import { KeylessDevices } from './devices/updates/keyless-devices.js';
import { listen } from './listen.js';
import { BootstrapService } from './service-accounts/bootstrap.service.js';
import { explainStartFailure } from './start-failure.js';

/** Exit codes of a process that a signal ended: 128 plus the signal's number. */
const SIGNAL_EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

async function main(): Promise<void> {
  const stopExiting = exitOnSignals();
  const { settings: configured, warnings } = loadSettings({ env: process.env, cwd: process.cwd() });
  const logger = createLogger(configured.logging, { isTerminal: isatty(process.stdout.fd) });
  for (const warning of warnings) logger.warn(warning);
  const settings = await withDataDirectory(configured, logger);

  const app = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(settings), {
    logger,
    bodyParser: false,
    abortOnError: false,
  });
  setUpApplication(app);
  app.enableShutdownHooks();
  stopExiting();
  const bootstrap = await app.get(BootstrapService).run();
  logger.log(`Listening on ${await listen(app, settings)}`);
  logger.log(`Database: ${app.get(DatabaseConnection).description}`);
  logger.log(`Data: ${settings.dataPath}`);
  logger.log(bootstrap.sentence);
  const keyless = await app.get(KeylessDevices).warning();
  if (keyless !== null) logger.warn(keyless);
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

main().catch((error: unknown) => {
  console.error(explainStartFailure(error));
  process.exit(1);
});
