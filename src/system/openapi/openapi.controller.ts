import { Controller, Get, Header } from '@nestjs/common';

import { AllowAnonymous } from '../../access/authorization/guard/access.js';
import { ApiDescriptions } from './api-descriptions.js';
import { NotDescribed } from './operation.js';

const JSON_MEDIA_TYPE = 'application/json; charset=utf-8';

/** The machine-readable descriptions. */
@NotDescribed()
@Controller('openapi')
export class OpenApiController {
  constructor(private readonly descriptions: ApiDescriptions) {}

  @Get('v1.json')
  @AllowAnonymous()
  @Header('Content-Type', JSON_MEDIA_TYPE)
  v1(): Promise<string> {
    return this.descriptions.text('v1');
  }

  @Get('internal.json')
  @AllowAnonymous()
  @Header('Content-Type', JSON_MEDIA_TYPE)
  internal(): Promise<string> {
    return this.descriptions.text('internal');
  }

  @Get('account.json')
  @AllowAnonymous()
  @Header('Content-Type', JSON_MEDIA_TYPE)
  account(): Promise<string> {
    return this.descriptions.text('account');
  }

  @Get('inventory.json')
  @AllowAnonymous()
  @Header('Content-Type', JSON_MEDIA_TYPE)
  inventory(): Promise<string> {
    return this.descriptions.text('inventory');
  }

  @Get('events.json')
  @AllowAnonymous()
  @Header('Content-Type', JSON_MEDIA_TYPE)
  events(): Promise<string> {
    return this.descriptions.text('events');
  }
}
