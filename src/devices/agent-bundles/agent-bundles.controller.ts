import { Controller, Get, HttpCode, Post } from '@nestjs/common';

import { Context, type RequestContext, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { on, RequireAccess, TenantOfCaller } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { TextParam } from '../../platform/http/binding/route-parameters.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { AgentBundleDto, AgentBundlesResponseDto } from './agent-bundles.dto.js';
import { AgentBundlesService } from './agent-bundles.service.js';

@Group('AgentBundles')
@Controller('account/agent-bundles')
export class AgentBundlesController {
  constructor(private readonly bundles: AgentBundlesService) {}

  @Get()
  @TenantOfCaller()
  @RequireAccess(Permission.AgentInstall)
  @Describe('List the agent bundles', "The platforms that the agent supports, and the state of the server's bundle for each.")
  @Answers(200, 'The bundles.', AgentBundlesResponseDto)
  list(@Context() context: TenantContext): Promise<AgentBundlesResponseDto> {
    return this.bundles.list(context);
  }

  @Post(':platform/build')
  @HttpCode(202)
  @RequireAccess(Permission.ServerSettingsWrite, on.server)
  @Describe('Build an agent bundle', 'Builds the bundle in the background. An existing bundle stays in use until the new one is ready.')
  @Answers(202, 'The state of the bundle.', AgentBundleDto, {
    404: 'There is no such platform.',
    409: 'The server runs without the sources of the agent, as it does in the container image.',
  })
  build(
    @Context() context: RequestContext,
    @TextParam('platform', 'Platform of the devices.', 'linux-x64') platform: string,
  ): Promise<AgentBundleDto> {
    return this.bundles.build(context, platform);
  }
}
