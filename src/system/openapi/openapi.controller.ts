import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';

import { AllowAnonymous } from '../../access/authorization/access.js';
import { ApiDescriptions } from './api-descriptions.js';

const JSON_MEDIA_TYPE = 'application/json; charset=utf-8';

/** The machine-readable descriptions. */
@ApiExcludeController()
@Controller('openapi')
export class OpenApiController {
  constructor(private readonly descriptions: ApiDescriptions) {}

  @Get('v1.json')
  @AllowAnonymous()
  @Header('Content-Type', JSON_MEDIA_TYPE)
  v1(): string {
    return this.descriptions.text('v1');
  }

  @Get('internal.json')
  @AllowAnonymous()
  @Header('Content-Type', JSON_MEDIA_TYPE)
  internal(): string {
    return this.descriptions.text('internal');
  }

  @Get('account.json')
  @AllowAnonymous()
  @Header('Content-Type', JSON_MEDIA_TYPE)
  account(): string {
    return this.descriptions.text('account');
  }
}
