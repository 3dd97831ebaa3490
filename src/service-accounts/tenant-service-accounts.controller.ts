import { Body, Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';

import { Context, type TenantContext } from '../authentication/request-context.js';
import { RequireAccess, TenantInPath } from '../authorization/access.js';
import { Permission } from '../authorization/permission.js';
import { mapPages } from '../common/pages.js';
import { GuidParam } from '../http/binding/route-parameters.js';
import { LocatedAt } from '../http/created-location.js';
import { streamJson } from '../http/json-stream.js';
import { Answers } from '../openapi/operation.js';
import {
  CreateServiceAccountCredentialRequestDto,
  CreateServiceAccountCredentialResponseDto,
  CreateServiceAccountRequestDto,
  type ServerServiceAccountDto,
  TenantServiceAccountDto,
  TenantServiceAccountsResponseDto,
  UpdateServiceAccountRequestDto,
} from './service-account.dto.js';
import { ServiceAccountAccessMode } from './service-account.entity.js';
import { ServiceAccountCredentialsService } from './service-account-credentials.service.js';
import { ServiceAccountsService } from './service-accounts.service.js';

@ApiTags('TenantServiceAccounts')
@TenantInPath()
@Controller('api/v1/tenant-service-accounts/:tenantId')
export class TenantServiceAccountsController {
  constructor(
    private readonly accounts: ServiceAccountsService,
    private readonly credentials: ServiceAccountCredentialsService,
  ) {}

  @Post()
  @RequireAccess(Permission.ServiceAccountWrite)
  @LocatedAt('/api/v1/tenant-service-accounts/{tenantId}/{id}')
  @Answers(201, '', TenantServiceAccountDto, { 400: '', 404: '', 409: '' })
  async create(@Context() context: TenantContext, @Body() body: CreateServiceAccountRequestDto): Promise<TenantServiceAccountDto> {
    const { name, description } = body;
    const account = { name, description, accessMode: ServiceAccountAccessMode.Restricted };
    return ofTenant(await this.accounts.create(context, context.tenantId, account));
  }

  @Get()
  @RequireAccess(Permission.ServiceAccountRead)
  @Answers(200, '', TenantServiceAccountsResponseDto)
  list(@Context() context: TenantContext, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: mapPages(this.accounts.list(context, context.tenantId), ofTenant) });
  }

  @Get(':serviceAccountId')
  @RequireAccess(Permission.ServiceAccountRead)
  @Answers(200, '', TenantServiceAccountDto, { 404: '' })
  async get(
    @Context() context: TenantContext,
    @GuidParam('serviceAccountId', '') serviceAccountId: string,
  ): Promise<TenantServiceAccountDto> {
    return ofTenant(await this.accounts.get(context, context.tenantId, serviceAccountId));
  }

  @Put(':serviceAccountId')
  @RequireAccess(Permission.ServiceAccountWrite)
  @Answers(200, '', TenantServiceAccountDto, { 400: '', 404: '', 409: '' })
  async update(
    @Context() context: TenantContext,
    @GuidParam('serviceAccountId', '') serviceAccountId: string,
    @Body() body: UpdateServiceAccountRequestDto,
  ): Promise<TenantServiceAccountDto> {
    return ofTenant(await this.accounts.update(context, context.tenantId, serviceAccountId, body));
  }

  @Delete(':serviceAccountId')
  @HttpCode(204)
  @RequireAccess(Permission.ServiceAccountWrite)
  @Answers(204, '', null, { 404: '' })
  remove(@Context() context: TenantContext, @GuidParam('serviceAccountId', '') serviceAccountId: string): Promise<void> {
    return this.accounts.remove(context, context.tenantId, serviceAccountId);
  }

  @Post(':serviceAccountId/credentials')
  @HttpCode(200)
  @RequireAccess(Permission.ServiceAccountRotateCredentials)
  @Answers(200, '', CreateServiceAccountCredentialResponseDto, { 400: '', 404: '' })
  createCredential(
    @Context() context: TenantContext,
    @GuidParam('serviceAccountId', '') serviceAccountId: string,
    @Body() body: CreateServiceAccountCredentialRequestDto,
  ): Promise<CreateServiceAccountCredentialResponseDto> {
    return this.credentials.create(context, context.tenantId, serviceAccountId, body);
  }

  @Delete(':serviceAccountId/credentials/:credentialId')
  @HttpCode(204)
  @RequireAccess(Permission.ServiceAccountRotateCredentials)
  @Answers(204, '', null, { 404: '' })
  revokeCredential(
    @Context() context: TenantContext,
    @GuidParam('serviceAccountId', '') serviceAccountId: string,
    @GuidParam('credentialId', '') credentialId: string,
  ): Promise<void> {
    return this.credentials.revoke(context, context.tenantId, serviceAccountId, credentialId);
  }

  @Delete(':serviceAccountId/credentials/:credentialId/purge')
  @HttpCode(204)
  @RequireAccess(Permission.ServiceAccountRotateCredentials)
  @Answers(204, '', null, { 400: '', 404: '' })
  purgeCredential(
    @Context() context: TenantContext,
    @GuidParam('serviceAccountId', '') serviceAccountId: string,
    @GuidParam('credentialId', '') credentialId: string,
  ): Promise<void> {
    return this.credentials.purge(context, context.tenantId, serviceAccountId, credentialId);
  }
}

/** An account as tenants see it: the access mode is the server accounts' own. */
function ofTenant({ accessMode: _ofServerAccounts, ...account }: ServerServiceAccountDto): TenantServiceAccountDto {
  return account;
}
