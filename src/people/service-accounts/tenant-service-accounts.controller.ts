import { Body, Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { RequireAccess, RequireRecentProof, TenantInPath } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import type { ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { mapPages } from '../../platform/common/resources/pages.js';
import { LocatedAt } from '../../platform/http/addresses/created-location.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { IfMatch, Tagged } from '../../platform/http/bodies/entity-tags.js';
import { streamJson } from '../../platform/http/bodies/json-stream.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { ServiceAccountCredentialsService } from './service-account-credentials.service.js';
import {
  CreateServiceAccountCredentialRequestDto,
  CreateServiceAccountCredentialResponseDto,
  CreateServiceAccountRequestDto,
  MAXIMUM_CREDENTIALS,
  type ServerServiceAccountDto,
  TenantServiceAccountDto,
  TenantServiceAccountsResponseDto,
  UpdateServiceAccountRequestDto,
} from './service-account.dto.js';
import { ServiceAccountAccessMode } from './service-account.entity.js';
import { accountState, ServiceAccountsService } from './service-accounts.service.js';

const ACCOUNT_ID = 'Id of the service account.';
const CREDENTIAL_ID = 'Id of the credential.';
const UNKNOWN = 'The tenant has no such account.';
const UNKNOWN_CREDENTIAL = 'There is no such account, or it has no such credential.';
const NAME_TAKEN = 'Another account has this name.';
const STILL_ACTIVE = 'The credential is active. Revoke it first.';

@Group('TenantServiceAccounts')
@TenantInPath()
@Controller('api/v1/tenant-service-accounts/:tenantId')
export class TenantServiceAccountsController {
  constructor(
    private readonly accounts: ServiceAccountsService,
    private readonly credentials: ServiceAccountCredentialsService,
  ) {}

  @Post()
  @Tagged(accountState)
  @RequireAccess(Permission.ServiceAccountWrite)
  @LocatedAt('/api/v1/tenant-service-accounts/{tenantId}/{id}')
  @Describe('Create a service account of the tenant', 'The account needs a credential to sign in. It works only in the tenant.')
  @Answers(201, 'The new account.', TenantServiceAccountDto, { 409: NAME_TAKEN })
  async create(@Context() context: TenantContext, @Body() body: CreateServiceAccountRequestDto): Promise<TenantServiceAccountDto> {
    const { name, description } = body;
    const account = { name, description, accessMode: ServiceAccountAccessMode.Restricted };
    return ofTenant(await this.accounts.create(context, context.tenantId, account));
  }

  @Get()
  @RequireAccess(Permission.ServiceAccountRead)
  @Describe('List the service accounts of the tenant', 'The accounts with the metadata of their credentials, without secrets.')
  @Answers(200, 'The accounts.', TenantServiceAccountsResponseDto)
  list(@Context() context: TenantContext, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: mapPages(this.accounts.list(context, context.tenantId), ofTenant) });
  }

  @Get(':serviceAccountId')
  @Tagged(accountState)
  @RequireAccess(Permission.ServiceAccountRead)
  @Describe('Get a service account of the tenant', 'The account with the metadata of its credentials, without secrets.')
  @Answers(200, 'The account.', TenantServiceAccountDto, { 404: UNKNOWN })
  async get(
    @Context() context: TenantContext,
    @GuidParam('serviceAccountId', ACCOUNT_ID) serviceAccountId: string,
  ): Promise<TenantServiceAccountDto> {
    return ofTenant(await this.accounts.get(context, context.tenantId, serviceAccountId));
  }

  @Put(':serviceAccountId')
  @Tagged(accountState)
  @RequireAccess(Permission.ServiceAccountWrite)
  @Describe(
    'Change a service account of the tenant',
    'Changes the name, and other members of the request. A disabled account cannot sign in, and links that it created open nothing; its credentials stay.',
  )
  @Answers(200, 'The changed account.', TenantServiceAccountDto, { 404: UNKNOWN, 409: NAME_TAKEN })
  async update(
    @Context() context: TenantContext,
    @GuidParam('serviceAccountId', ACCOUNT_ID) serviceAccountId: string,
    @Body() body: UpdateServiceAccountRequestDto,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<TenantServiceAccountDto> {
    return ofTenant(await this.accounts.update(context, context.tenantId, serviceAccountId, body, expected));
  }

  @Delete(':serviceAccountId')
  @HttpCode(204)
  @RequireAccess(Permission.ServiceAccountWrite)
  @Describe(
    'Delete a service account of the tenant',
    'Deletes the account with its credentials, the tokens that were created with them, and its permission assignments. An account cannot delete itself.',
  )
  @Answers(204, 'The account is deleted.', null, { 404: UNKNOWN })
  remove(
    @Context() context: TenantContext,
    @GuidParam('serviceAccountId', ACCOUNT_ID) serviceAccountId: string,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<void> {
    return this.accounts.remove(context, context.tenantId, serviceAccountId, expected);
  }

  @Post(':serviceAccountId/credentials')
  @HttpCode(200)
  @RequireAccess(Permission.ServiceAccountRotateCredentials)
  @RequireRecentProof()
  @Describe(
    'Create a credential of an account of the tenant',
    `Only this answer contains the complete value for the \`x-api-key\` header. The caller must hold everything that the account holds, and the account must be enabled. An account can have at most ${MAXIMUM_CREDENTIALS} credentials, revoked and expired ones included.`,
  )
  @Answers(200, 'The new credential and its key.', CreateServiceAccountCredentialResponseDto, { 404: UNKNOWN })
  createCredential(
    @Context() context: TenantContext,
    @GuidParam('serviceAccountId', ACCOUNT_ID) serviceAccountId: string,
    @Body() body: CreateServiceAccountCredentialRequestDto,
  ): Promise<CreateServiceAccountCredentialResponseDto> {
    return this.credentials.create(context, context.tenantId, serviceAccountId, body);
  }

  @Delete(':serviceAccountId/credentials/:credentialId')
  @HttpCode(204)
  @RequireAccess(Permission.ServiceAccountRotateCredentials)
  @Describe(
    'Revoke a credential of an account of the tenant',
    'The service then refuses requests with the credential, and with tokens that were created with it. The credential stays in lists. Revoking it again has no effect.',
  )
  @Answers(204, 'The credential is revoked.', null, { 404: UNKNOWN_CREDENTIAL })
  revokeCredential(
    @Context() context: TenantContext,
    @GuidParam('serviceAccountId', ACCOUNT_ID) serviceAccountId: string,
    @GuidParam('credentialId', CREDENTIAL_ID) credentialId: string,
  ): Promise<void> {
    return this.credentials.revoke(context, context.tenantId, serviceAccountId, credentialId);
  }

  @Delete(':serviceAccountId/credentials/:credentialId/purge')
  @HttpCode(204)
  @RequireAccess(Permission.ServiceAccountRotateCredentials)
  @Describe('Delete a credential of an account of the tenant', 'Deletes a revoked or expired credential.')
  @Answers(204, 'The credential is deleted.', null, { 400: STILL_ACTIVE, 404: UNKNOWN_CREDENTIAL })
  purgeCredential(
    @Context() context: TenantContext,
    @GuidParam('serviceAccountId', ACCOUNT_ID) serviceAccountId: string,
    @GuidParam('credentialId', CREDENTIAL_ID) credentialId: string,
  ): Promise<void> {
    return this.credentials.purge(context, context.tenantId, serviceAccountId, credentialId);
  }
}

/** An account as tenants see it, without the access mode, which only server accounts have. */
function ofTenant({ accessMode: _ofServerAccounts, ...account }: ServerServiceAccountDto): TenantServiceAccountDto {
  return account;
}
