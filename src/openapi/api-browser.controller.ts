import { createRequire } from 'node:module';
import { dirname } from 'node:path';

import { Controller, Get, Header, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';

import { AllowAnonymous } from '../authorization/access.js';
import { notFound } from '../common/errors.js';
import { BROWSER_PAGE, PACKAGE_ASSETS, START_SCRIPT } from './api-browser.page.js';

/** Where the swagger-ui-dist package lies. */
const PACKAGE_FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const HTML_MEDIA_TYPE = 'text/html; charset=utf-8';
/** The files change with the service's version only; a day keeps an upgrade visible. */
const ASSET_MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** The reference for people: pages that show the descriptions and send requests. */
@ApiExcludeController()
@Controller('api-browser')
export class ApiBrowserController {
  @Get()
  @AllowAnonymous()
  @Header('Content-Type', HTML_MEDIA_TYPE)
  page(): string {
    return BROWSER_PAGE;
  }

  @Get('v1')
  @AllowAnonymous()
  @Header('Content-Type', HTML_MEDIA_TYPE)
  v1(): string {
    return BROWSER_PAGE;
  }

  @Get('internal')
  @AllowAnonymous()
  @Header('Content-Type', HTML_MEDIA_TYPE)
  internal(): string {
    return BROWSER_PAGE;
  }

  @Get('assets/start.js')
  @AllowAnonymous()
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  start(): string {
    return START_SCRIPT;
  }

  @Get('assets/:name')
  @AllowAnonymous()
  asset(@Param('name') name: string, @Res() response: Response): void {
    if (!PACKAGE_ASSETS.includes(name)) throw notFound('The file');
    response.sendFile(name, { root: PACKAGE_FOLDER, maxAge: ASSET_MAX_AGE_MS });
  }
}
