import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

import { AppModule } from './app.module.js';
import { setUpApplication } from './app.setup.js';
import { BundleBuilds } from './devices/agent-bundles/bundle-builds.js';
import { KeylessDevices } from './devices/devices/updates/keyless-devices.js';
import { listen } from './listen.js';
import { AdministratorBootstrap } from './people/registration/administrator-bootstrap.js';
import { BootstrapService } from './people/service-accounts/bootstrap.service.js';
import { messageOf } from './platform/common/errors/errors.js';
import { collectOnceIdle } from './platform/common/runtime/idle-collection.js';
import type { ServiceLogger } from './platform/common/runtime/service-logger.js';
import type { Settings } from './platform/config/settings.js';
import type { DatabaseConnection } from './platform/database/connection/database-connection.js';
import { ServiceAdapter } from './platform/http/service-adapter.js';
import { telemetryTargets, telemetryWarning } from './system/telemetry/telemetry-targets.js';

const WITHOUT_PUBLIC_URL =
  'AppOptions:PublicUrl is not set: links name the host that was called, mails with links are not sent, and passkeys work on localhost only.';

/** The end of the process: its signals, and the hand-over to the application. */
export interface Ending {
  /** Names of the signals on which the application stops in order. */
  readonly endingSignals: readonly string[];
  /**
   * Called before the process enters the list of nodes, which it must leave again. From then on the first signal waits. Returns a function
   * to call when the application stops by itself: it returns true if it has to stop at once.
   */
  onEntering(): () => boolean;
}

/** Starts the application on the database and listens. */
export async function serve(settings: Settings, connection: DatabaseConnection, logger: ServiceLogger, ending: Ending): Promise<void> {
  await collectMetrics(settings, logger);
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoot(settings, () => Promise.resolve(connection)),
    new ServiceAdapter(),
    {
      logger,
      bodyParser: false,
      abortOnError: false,
    },
  );
  setUpApplication(app);
  const bootstrap = await app.get(BootstrapService).run();
  const administrator = await app.get(AdministratorBootstrap).run();
  const onStoppable = ending.onEntering();
  await app.init();
  // Without the exit the framework would raise the signal once more, and the end would be by that signal or with 0, by chance.
  app.enableShutdownHooks([...ending.endingSignals], { useProcessExit: true });
  if (onStoppable()) return;
  logger.log(`Listening on ${await listen(app, settings)}`);
  if (settings.appOptions.publicUrl === '') logger.log(WITHOUT_PUBLIC_URL);
  logger.log(`Database: ${connection.description}`);
  logger.log(`Data: ${settings.dataPath}`);
  logger.log(bootstrap.sentence);
  if (administrator?.isWarning === true) logger.warn(administrator.sentence);
  else if (administrator !== null) logger.log(administrator.sentence);
  await finishStart(app, settings, logger);
  collectOnceIdle();
}

/** Last steps of a start, without which the service serves: that one fails is a warning. */
async function finishStart(app: NestExpressApplication, settings: Settings, logger: ServiceLogger): Promise<void> {
  try {
    const keyless = await app.get(KeylessDevices).warning();
    if (keyless !== null) logger.warn(keyless);
    if (settings.agentBundle.buildAtStart) await app.get(BundleBuilds).ensureOwn();
  } catch (error) {
    logger.warn(`Devices without a key were not looked for, or no agent bundle was begun: ${messageOf(error)}`);
  }
}

/** Collects the metrics of this process where a scraper or a collector wants them. Instruments look for that when they are made, so it comes first. */
async function collectMetrics(settings: Settings, logger: ServiceLogger): Promise<void> {
  const targets = telemetryTargets(settings, process.env);
  if (targets === null) return;
  const warning = telemetryWarning(targets, process.env);
  if (warning !== null) logger.warn(warning);
  const { startTelemetry } = await import('./system/telemetry/telemetry.js');
  await startTelemetry(targets, process.env);
}
