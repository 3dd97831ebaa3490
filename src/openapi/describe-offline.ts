import { DiscoveryService, MetadataScanner, ModulesContainer, NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';

import { AppModule } from '../app.module.js';
import { AccessDeclarations } from '../authorization/access-declarations.js';
import { loadSettings } from '../config/load-settings.js';
import { describeSurface } from './describe.js';
import type { SurfaceName } from './surfaces.js';

/** A folder without a settings file, so that the descriptions do not depend on the machine. */
const NO_SETTINGS_FILE = '/nonexistent';

/** Both descriptions of the application with its default options. Nothing is started: no database, no port. */
export async function describeOffline(): Promise<Record<SurfaceName, OpenAPIObject>> {
  const { settings } = loadSettings({ env: {}, cwd: NO_SETTINGS_FILE });
  const app = await NestFactory.create(AppModule.forRoot(settings), { preview: true, logger: false, abortOnError: false });
  const declarations = new AccessDeclarations(new DiscoveryService(app.get(ModulesContainer)), new MetadataScanner());
  declarations.onModuleInit();
  const routes = declarations.all();
  return { v1: describeSurface(app, routes, 'v1'), internal: describeSurface(app, routes, 'internal') };
}
