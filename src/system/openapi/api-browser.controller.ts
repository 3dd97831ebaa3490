import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';

import { AllowAnonymous } from '../../access/authorization/guard/access.js';
import { notFound } from '../../platform/common/errors/errors.js';
import { NotDescribed } from './operation.js';

/** The folder with the page, its script and its styles. */
const OWN_FOLDER = fileURLToPath(new URL('browser', import.meta.url));
const PACKAGE_FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
/** The files change only with the version of the service. After an upgrade, browsers use old files for a day at most. */
const ASSET_MAX_AGE_MS = 24 * 60 * 60 * 1000;
const OWN_FILES: readonly string[] = ['browser.css', 'browser.js'];
/** The files of the package that the page uses. */
const PACKAGE_FILES: readonly string[] = ['favicon-32x32.png', 'swagger-ui-bundle.js', 'swagger-ui.css'];

/** The API reference for people: a page that shows a description and can send requests. Its path selects the description. */
@NotDescribed()
@Controller('api-browser')
export class ApiBrowserController {
  @Get()
  @AllowAnonymous()
  page(@Res() response: Response): void {
    response.sendFile('page.html', { root: OWN_FOLDER, cacheControl: false });
  }

  @Get('v1')
  @AllowAnonymous()
  v1(@Res() response: Response): void {
    this.page(response);
  }

  @Get('internal')
  @AllowAnonymous()
  internal(@Res() response: Response): void {
    this.page(response);
  }

  @Get('account')
  @AllowAnonymous()
  account(@Res() response: Response): void {
    this.page(response);
  }

  @Get('inventory')
  @AllowAnonymous()
  inventory(@Res() response: Response): void {
    this.page(response);
  }

  @Get('events')
  @AllowAnonymous()
  events(@Res() response: Response): void {
    this.page(response);
  }

  @Get('assets/:name')
  @AllowAnonymous()
  asset(@Param('name') name: string, @Res() response: Response): void {
    const root = OWN_FILES.includes(name) ? OWN_FOLDER : PACKAGE_FILES.includes(name) ? PACKAGE_FOLDER : null;
    if (root === null) throw notFound('The file');
    response.sendFile(name, { root, maxAge: ASSET_MAX_AGE_MS });
  }
}
