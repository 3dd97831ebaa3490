import type { AddressInfo } from 'node:net';
import { isatty } from 'node:tty';

import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

import { resolveDataDirectory } from '#libs/local-postgres';

import { AppModule } from './app.module.js';
import { setUpApplication } from './app.setup.js';
import { createLogger, type ServiceLogger } from './common/service-logger.js';
import { loadSettings } from './config/load-settings.js';
import type { Settings } from './config/settings.js';
import { DatabaseConnection } from './database/database-connection.js';
import { BootstrapService } from './service-accounts/bootstrap.service.js';

/** Where the service listens unless the operator names an address. */
const ALL_ADDRESSES = '0.0.0.0';

async function main(): Promise<void> {
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
  const bootstrap = await app.get(BootstrapService).run();
  const host = settings.bindAddress === '' ? ALL_ADDRESSES : settings.bindAddress;
  await app.listen(settings.port, host);
  const { port } = app.getHttpServer().address() as AddressInfo;
  logger.log(`Listening on http://${host.includes(':') ? `[${host}]` : host}:${port}`);
  logger.log(`Database: ${app.get(DatabaseConnection).description}`);
  logger.log(`Data: ${settings.dataPath}`);
  logger.log(bootstrap.sentence);
}

/** The settings with the data folder that is really used: the default one moves when the bundled database cannot enter it. */
async function withDataDirectory(settings: Settings, logger: ServiceLogger): Promise<Settings> {
  if (settings.database.kind !== 'bundled') return settings;
  const { path, notices } = await resolveDataDirectory(settings.dataPath, { explicit: settings.dataPathIsExplicit });
  for (const notice of notices) logger.warn(notice);
  return { ...settings, dataPath: path };
}

main().catch((error: unknown) => {
  // A bad option, an unreachable database, a taken port: the sentence is what an operator needs, not the stack.
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
