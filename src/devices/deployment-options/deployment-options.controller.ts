import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { RequireAccess, TenantInQuery } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { DeploymentOptionsDto, DeploymentTagCapabilityRequestDto, DeploymentTagCapabilityResponseDto } from './deployment-options.dto.js';
import { DeploymentOptionsService } from './deployment-options.service.js';

@Group('DeploymentOptions')
@Controller('api/v1/deployment-options')
@TenantInQuery()
export class DeploymentOptionsController {
  constructor(private readonly options: DeploymentOptionsService) {}

  @Get()
  @RequireAccess(Permission.AgentInstall)
  @Describe('Get the deployment options', 'The options with which deployment scripts of the tenant install the agent.')
  @Answers(200, 'The options.', DeploymentOptionsDto)
  get(@Context() context: TenantContext): Promise<DeploymentOptionsDto> {
    return this.options.get(context);
  }

  @Post('tag-capability')
  @HttpCode(200)
  @RequireAccess(Permission.AgentInstall)
  @Describe('Check the right to set tags', 'Tells if the caller may choose tags for a device when its agent is installed.')
  @Answers(200, 'The right of the caller to set tags.', DeploymentTagCapabilityResponseDto)
  async tagCapability(
    @Context() context: TenantContext,
    @Body() body: DeploymentTagCapabilityRequestDto,
  ): Promise<DeploymentTagCapabilityResponseDto> {
    return { allowed: await this.options.mayTag(context, body) };
  }
}
