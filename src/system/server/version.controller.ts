import { Controller, Get, Header } from '@nestjs/common';

import { AllowAnonymous } from '../../access/authorization/guard/access.js';
import { Cached } from '../../platform/http/response-cache.js';
import { Answers, Describe, Group, jsonText } from '../openapi/operation.js';
import { VersionService } from './version.service.js';

const CACHE_SECONDS = 60;
/** Nest sends a returned string unquoted; the contract requires a JSON string. */
const JSON_TEXT = Header('Content-Type', 'application/json; charset=utf-8');

@Group('Version')
@Controller('api/v1/version')
export class VersionController {
  constructor(private readonly versions: VersionService) {}

  @Get('agent')
  @AllowAnonymous()
  @Cached(CACHE_SECONDS)
  @JSON_TEXT
  @Describe('Get the agent version', 'The version of the agent that the server publishes for its devices.')
  @Answers(200, 'The version, as a JSON text.', jsonText('1.4.2.0'), { 404: 'The server has not published an agent.' })
  async agent(): Promise<string> {
    return JSON.stringify(await this.versions.agent());
  }

  @Get('server')
  @AllowAnonymous()
  @Cached(CACHE_SECONDS)
  @JSON_TEXT
  @Describe('Get the server version', 'The version of the service itself.')
  @Answers(200, 'The version, as a JSON text.', jsonText('0.1.0.0'))
  server(): string {
    return JSON.stringify(this.versions.server());
  }

  @Get('release-notes')
  @AllowAnonymous()
  @Cached(CACHE_SECONDS)
  @JSON_TEXT
  @Describe('Get the release notes', 'The notes that the operator has published, at most 256 KiB.')
  @Answers(200, 'The notes in Markdown, as a JSON text.', jsonText('## 1.4.2\\n\\n- Faster reconnects'), {
    404: 'The server has not published release notes.',
  })
  async releaseNotes(): Promise<string> {
    return JSON.stringify(await this.versions.releaseNotes());
  }
}
