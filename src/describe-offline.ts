import type { INestApplication } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer, NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';

import { AccessDeclarations, type DeclaredRoute } from './access/authorization/guard/access-declarations.js';
import { AppModule } from './app.module.js';
import { loadSettings } from './platform/config/load-settings.js';
import { describeSurface } from './system/openapi/describe.js';
import type { SurfaceName } from './system/openapi/surfaces.js';

/** A folder without a settings file, so that the descriptions do not depend on the machine. */
const NO_SETTINGS_FILE = '/nonexistent';

/** The application without a database or port. `env` replaces default options. */
export async function previewApplication(
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly app: INestApplication; readonly routes: readonly DeclaredRoute[] }> {
  const { settings } = loadSettings({ env, cwd: NO_SETTINGS_FILE });
  const app = await NestFactory.create(AppModule.forRoot(settings), { preview: true, logger: false, abortOnError: false });
  const declarations = new AccessDeclarations(new DiscoveryService(app.get(ModulesContainer)), new MetadataScanner());
  declarations.onModuleInit();
  return { app, routes: declarations.all() };
}

/** The descriptions of the application with its default options. */
export async function describeOffline(): Promise<Record<SurfaceName, OpenAPIObject>> {
  const { app, routes } = await previewApplication();
  const describe = (name: SurfaceName): Promise<OpenAPIObject> => describeSurface(app, routes, name, '');
  return {
    v1: await describe('v1'),
    internal: await describe('internal'),
    account: await describe('account'),
    inventory: await describe('inventory'),
    events: await describe('events'),
  };
}
