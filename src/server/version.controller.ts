import { Controller, Get, Header } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { AllowAnonymous } from '../authorization/access.js';
import { Cached } from '../http/response-cache.js';
import { Answers, jsonText } from '../openapi/operation.js';
import { VersionService } from './version.service.js';

const CACHE_SECONDS = 60;
/** Nest sends a returned text as it is; the contract wants a JSON string. */
const JSON_TEXT = Header('Content-Type', 'application/json; charset=utf-8');

@ApiTags('Version')
@Controller('api/v1/version')
export class VersionController {
  constructor(private readonly versions: VersionService) {}

  @Get('agent')
  @AllowAnonymous()
  @Cached(CACHE_SECONDS)
  @JSON_TEXT
  @Answers(200, '', jsonText(''), { 404: '' })
  async agent(): Promise<string> {
    return JSON.stringify(await this.versions.agent());
  }

  @Get('server')
  @AllowAnonymous()
  @Cached(CACHE_SECONDS)
  @JSON_TEXT
  @Answers(200, '', jsonText(''))
  server(): string {
    return JSON.stringify(this.versions.server());
  }

  @Get('release-notes')
  @AllowAnonymous()
  @Cached(CACHE_SECONDS)
  @JSON_TEXT
  @Answers(200, '', jsonText(''), { 404: '' })
  async releaseNotes(): Promise<string> {
    return JSON.stringify(await this.versions.releaseNotes());
  }
}
