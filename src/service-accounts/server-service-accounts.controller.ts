import { Body, Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';

import { Context, type RequestContext } from '../authentication/request-context.js';
import { on, RequireAccess } from '../authorization/access.js';
import { Permission } from '../authorization/permission.js';
import { GuidParam } from '../http/binding/route-parameters.js';
import { LocatedAt } from '../http/created-location.js';
import { streamJson } from '../http/json-stream.js';
import { Answers } from '../openapi/operation.js';
import {
  CreateServerServiceAccountRequestDto,
  CreateServiceAccountCredentialRequestDto,
  CreateServiceAccountCredentialResponseDto,
  ServerServiceAccountDto,
  ServerServiceAccountsResponseDto,
  UpdateServiceAccountRequestDto,
} from './service-account.dto.js';
import { ServiceAccountCredentialsService } from './service-account-credentials.service.js';
import { ServiceAccountsService } from './service-accounts.service.js';

const SERVER = null;

@ApiTags('ServerServiceAccounts')
@Controller('api/v1/server-service-accounts')
export class ServerServiceAccountsController {
  constructor(
    private readonly accounts: ServiceAccountsService,
    private readonly credentials: ServiceAccountCredentialsService,
  ) {}

  @Post()
  @RequireAccess(Permission.ServerServiceAccountsWrite, on.server)
  @LocatedAt('/api/v1/server-service-accounts/{id}')
  @Answers(201, '', ServerServiceAccountDto, { 400: '', 409: '' })
  create(@Context() context: RequestContext, @Body() body: CreateServerServiceAccountRequestDto): Promise<ServerServiceAccountDto> {
    return this.accounts.create(context, SERVER, body);
  }

  @Get()
  @RequireAccess(Permission.ServerServiceAccountsRead, on.server)
  @Answers(200, '', ServerServiceAccountsResponseDto)
  list(@Context() context: RequestContext, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: this.accounts.list(context, SERVER) });
  }

  @Get(':serviceAccountId')
  @RequireAccess(Permission.ServerServiceAccountsRead, on.server)
  @Answers(200, '', ServerServiceAccountDto, { 404: '' })
  get(@Context() context: RequestContext, @GuidParam('serviceAccountId', '') serviceAccountId: string): Promise<ServerServiceAccountDto> {
    return this.accounts.get(context, SERVER, serviceAccountId);
  }

  @Put(':serviceAccountId')
  @RequireAccess(Permission.ServerServiceAccountsWrite, on.server)
  @Answers(200, '', ServerServiceAccountDto, { 400: '', 404: '', 409: '' })
  update(
    @Context() context: RequestContext,
    @GuidParam('serviceAccountId', '') serviceAccountId: string,
    @Body() body: UpdateServiceAccountRequestDto,
  ): Promise<ServerServiceAccountDto> {
    return this.accounts.update(context, SERVER, serviceAccountId, body);
  }

  @Delete(':serviceAccountId')
  @HttpCode(204)
  @RequireAccess(Permission.ServerServiceAccountsWrite, on.server)
  @Answers(204, '', null, { 404: '' })
  remove(@Context() context: RequestContext, @GuidParam('serviceAccountId', '') serviceAccountId: string): Promise<void> {
    return this.accounts.remove(context, SERVER, serviceAccountId);
  }

  @Post(':serviceAccountId/credentials')
  @HttpCode(200)
  @RequireAccess(Permission.ServerServiceAccountsRotateCredentials, on.server)
  @Answers(200, '', CreateServiceAccountCredentialResponseDto, { 400: '', 404: '' })
  createCredential(
    @Context() context: RequestContext,
    @GuidParam('serviceAccountId', '') serviceAccountId: string,
    @Body() body: CreateServiceAccountCredentialRequestDto,
  ): Promise<CreateServiceAccountCredentialResponseDto> {
    return this.credentials.create(context, SERVER, serviceAccountId, body);
  }

  @Delete(':serviceAccountId/credentials/:credentialId')
  @HttpCode(204)
  @RequireAccess(Permission.ServerServiceAccountsRotateCredentials, on.server)
  @Answers(204, '', null, { 404: '' })
  revokeCredential(
    @Context() context: RequestContext,
    @GuidParam('serviceAccountId', '') serviceAccountId: string,
    @GuidParam('credentialId', '') credentialId: string,
  ): Promise<void> {
    return this.credentials.revoke(context, SERVER, serviceAccountId, credentialId);
  }

  @Delete(':serviceAccountId/credentials/:credentialId/purge')
  @HttpCode(204)
  @RequireAccess(Permission.ServerServiceAccountsRotateCredentials, on.server)
  @Answers(204, '', null, { 400: '', 404: '' })
  purgeCredential(
    @Context() context: RequestContext,
    @GuidParam('serviceAccountId', '') serviceAccountId: string,
    @GuidParam('credentialId', '') credentialId: string,
  ): Promise<void> {
    return this.credentials.purge(context, SERVER, serviceAccountId, credentialId);
  }
}
