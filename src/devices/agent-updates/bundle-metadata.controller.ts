import { Controller, Get } from '@nestjs/common';

import { AllowAnonymous } from '../../access/authorization/guard/access.js';
import { TextParam } from '../../platform/http/binding/route-parameters.js';
import { CachedByClients } from '../../platform/http/response-cache.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { BundleMetadataDto } from './bundle-metadata.dto.js';
import { BundleMetadataService } from './bundle-metadata.service.js';

const CACHE_SECONDS = 600;
const RUNTIME = 'The platform, as `LinuxX64` or `linux-x64`, in any case.';
const ERRORS = {
  400: 'There is no such platform.',
  404: 'The server has not published bundle and installer for this platform.',
};

/** Update routes of agents that bring an installer of their own. */
@Group('AgentUpdates')
@Controller('api')
export class BundleMetadataController {
  constructor(private readonly bundles: BundleMetadataService) {}

  @Get('agent/updates/get-bundle-metadata/:runtime')
  @AllowAnonymous()
  @CachedByClients(CACHE_SECONDS)
  @Describe(
    'Get the published agent',
    "The addresses and hashes of a platform's bundle and installer. Agents compare the hashes with their own.",
  )
  @Answers(200, 'The published agent.', BundleMetadataDto, ERRORS)
  get(@TextParam('runtime', RUNTIME, 'linux-x64') runtime: string): Promise<BundleMetadataDto> {
    return this.bundles.find(runtime);
  }

  /** The path that older agents use. */
  @Get('agent-update/get-bundle-metadata/:runtime')
  @AllowAnonymous()
  @CachedByClients(CACHE_SECONDS)
  @Describe(
    'Get the published agent (older agents)',
    'The same as `GET /api/agent/updates/get-bundle-metadata/{runtime}`, at the path of older agents.',
  )
  @Answers(200, 'The published agent.', BundleMetadataDto, ERRORS)
  getOlderAgent(@TextParam('runtime', RUNTIME, 'linux-x64') runtime: string): Promise<BundleMetadataDto> {
    return this.get(runtime);
  }
}
