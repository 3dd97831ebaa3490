import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Context, type RequestContext } from '../../access/authentication/principals/request-context.js';
import { on, RequireAccess, TenantIsObject } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { PublicUrl } from '../../platform/http/addresses/public-url.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { streamJson } from '../../platform/http/bodies/json-stream.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import {
  AdministratorInvitationDto,
  FoundedTenantDto,
  FoundTenantRequestDto,
  InviteAdministratorRequestDto,
  UnattendedTenantsResponseDto,
} from './first-administrators.dto.js';
import { FirstAdministrators } from './first-administrators.js';

const GRANTING =
  'The invited person gets the preset Tenant Administrator, so the caller also needs `server.permissions.write`, or `tenant.permissions.write` in the tenant.';

@Group('Tenants')
@Controller('account/tenants')
export class FirstAdministratorsController {
  constructor(
    private readonly administrators: FirstAdministrators,
    private readonly publicUrl: PublicUrl,
  ) {}

  @Post()
  @RequireAccess(Permission.ServerTenantsWrite, on.server)
  @Describe(
    'Create a tenant with its first administrator',
    `Creates the tenant and the invitation of its administrator together, or neither. ${GRANTING} Without an administrator, the new tenant is empty.`,
  )
  @Answers(201, 'The new tenant, and the link of the invitation.', FoundedTenantDto)
  found(@Context() context: RequestContext, @Req() request: Request, @Body() body: FoundTenantRequestDto): Promise<FoundedTenantDto> {
    return this.administrators.found(context, body, this.publicUrl.ofCaller(request));
  }

  @Get('without-users')
  @RequireAccess(Permission.ServerTenantsRead, on.server)
  @Describe('List the tenants without users', 'The tenants in which no user can sign in yet, including those with an open invitation.')
  @Answers(200, 'The tenants, and the expiry of their invitations.', UnattendedTenantsResponseDto)
  unattended(@Context() context: RequestContext, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: this.administrators.unattended(context) });
  }

  @Post(':tenantId/administrators')
  @TenantIsObject()
  @RequireAccess(Permission.ServerTenantsWrite, on.server)
  @Describe(
    'Invite the first administrator of a tenant',
    `Works while no user of the tenant can sign in. An open invitation of the tenant for the same address ends. ${GRANTING}`,
  )
  @Answers(201, 'The link of the invitation.', AdministratorInvitationDto, {
    404: 'There is no such tenant.',
    409: 'The tenant has users.',
  })
  invite(
    @Context() context: RequestContext,
    @Req() request: Request,
    @GuidParam('tenantId', 'Id of the tenant.') tenantId: string,
    @Body() { email }: InviteAdministratorRequestDto,
  ): Promise<AdministratorInvitationDto> {
    return this.administrators.inviteTo(context, tenantId, email, this.publicUrl.ofCaller(request));
  }
}
