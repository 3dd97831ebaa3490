import { Body, Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Context, type RequestContext } from '../../access/authentication/principals/request-context.js';
import { on, RequireAccess, RequireRecentProof } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import type { ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { LocatedAt } from '../../platform/http/addresses/created-location.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { IfMatch, Tagged } from '../../platform/http/bodies/entity-tags.js';
import { streamJson } from '../../platform/http/bodies/json-stream.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { ServiceAccountCredentialsService } from './service-account-credentials.service.js';
import {
  CreateServerServiceAccountRequestDto,
  CreateServiceAccountCredentialRequestDto,
  CreateServiceAccountCredentialResponseDto,
  MAXIMUM_CREDENTIALS,
  ServerServiceAccountDto,
  ServerServiceAccountsResponseDto,
  UpdateServiceAccountRequestDto,
} from './service-account.dto.js';
import { accountState, ServiceAccountsService } from './service-accounts.service.js';

const SERVER = null;

const ACCOUNT_ID = 'Id of the service account.';
const CREDENTIAL_ID = 'Id of the credential.';
const UNKNOWN = 'There is no such account.';
const UNKNOWN_CREDENTIAL = 'There is no such account, or it has no such credential.';
const NAME_TAKEN = 'Another account has this name.';
const STILL_ACTIVE = 'The credential is active. Revoke it first.';

@Group('ServerServiceAccounts')
@Controller('api/v1/server-service-accounts')
export class ServerServiceAccountsController {
  constructor(
    private readonly accounts: ServiceAccountsService,
    private readonly credentials: ServiceAccountCredentialsService,
  ) {}

  @Post()
  @Tagged(accountState)
  @RequireAccess(Permission.ServerServiceAccountsWrite, on.server)
  @LocatedAt('/api/v1/server-service-accounts/{id}')
  @Describe(
    'Create a service account of the server',
    'The account needs a credential to sign in. Its access mode never changes. For an Unrestricted account, the caller also needs `server.permissions.write`.',
  )
  @Answers(201, 'The new account.', ServerServiceAccountDto, { 409: NAME_TAKEN })
  create(@Context() context: RequestContext, @Body() body: CreateServerServiceAccountRequestDto): Promise<ServerServiceAccountDto> {
    return this.accounts.create(context, SERVER, body);
  }

  @Get()
  @RequireAccess(Permission.ServerServiceAccountsRead, on.server)
  @Describe('List the service accounts of the server', 'The accounts with the metadata of their credentials, without secrets.')
  @Answers(200, 'The accounts.', ServerServiceAccountsResponseDto)
  list(@Context() context: RequestContext, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: this.accounts.list(context, SERVER) });
  }

  @Get(':serviceAccountId')
  @Tagged(accountState)
  @RequireAccess(Permission.ServerServiceAccountsRead, on.server)
  @Describe('Get a service account of the server', 'The account with the metadata of its credentials, without secrets.')
  @Answers(200, 'The account.', ServerServiceAccountDto, { 404: UNKNOWN })
  get(
    @Context() context: RequestContext,
    @GuidParam('serviceAccountId', ACCOUNT_ID) serviceAccountId: string,
  ): Promise<ServerServiceAccountDto> {
    return this.accounts.get(context, SERVER, serviceAccountId);
  }

  @Put(':serviceAccountId')
  @Tagged(accountState)
  @RequireAccess(Permission.ServerServiceAccountsWrite, on.server)
  @Describe(
    'Change a service account of the server',
    'Changes the name, and other members of the request. A disabled account cannot sign in, and links that it created open nothing; its credentials stay.',
  )
  @Answers(200, 'The changed account.', ServerServiceAccountDto, { 404: UNKNOWN, 409: NAME_TAKEN })
  update(
    @Context() context: RequestContext,
    @GuidParam('serviceAccountId', ACCOUNT_ID) serviceAccountId: string,
    @Body() body: UpdateServiceAccountRequestDto,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<ServerServiceAccountDto> {
    return this.accounts.update(context, SERVER, serviceAccountId, body, expected);
  }

  @Delete(':serviceAccountId')
  @HttpCode(204)
  @RequireAccess(Permission.ServerServiceAccountsWrite, on.server)
  @Describe(
    'Delete a service account of the server',
    'Deletes the account with its credentials, the tokens that were created with them, and its permission assignments. An account cannot delete itself.',
  )
  @Answers(204, 'The account is deleted.', null, { 404: UNKNOWN })
  remove(
    @Context() context: RequestContext,
    @GuidParam('serviceAccountId', ACCOUNT_ID) serviceAccountId: string,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<void> {
    return this.accounts.remove(context, SERVER, serviceAccountId, expected);
  }

  @Post(':serviceAccountId/credentials')
  @HttpCode(200)
  @RequireAccess(Permission.ServerServiceAccountsRotateCredentials, on.server)
  @RequireRecentProof()
  @Describe(
    'Create a credential of an account of the server',
    `Only this answer contains the complete value for the \`x-api-key\` header. The caller must hold everything that the account holds, and the account must be enabled. An account can have at most ${MAXIMUM_CREDENTIALS} credentials, revoked and expired ones included.`,
  )
  @Answers(200, 'The new credential and its key.', CreateServiceAccountCredentialResponseDto, { 404: UNKNOWN })
  createCredential(
    @Context() context: RequestContext,
    @GuidParam('serviceAccountId', ACCOUNT_ID) serviceAccountId: string,
    @Body() body: CreateServiceAccountCredentialRequestDto,
  ): Promise<CreateServiceAccountCredentialResponseDto> {
    return this.credentials.create(context, SERVER, serviceAccountId, body);
  }

  @Delete(':serviceAccountId/credentials/:credentialId')
  @HttpCode(204)
  @RequireAccess(Permission.ServerServiceAccountsRotateCredentials, on.server)
  @Describe(
    'Revoke a credential of an account of the server',
    'The service then refuses requests with the credential, and with tokens that were created with it. The credential stays in lists. Revoking it again has no effect.',
  )
  @Answers(204, 'The credential is revoked.', null, { 404: UNKNOWN_CREDENTIAL })
  revokeCredential(
    @Context() context: RequestContext,
    @GuidParam('serviceAccountId', ACCOUNT_ID) serviceAccountId: string,
    @GuidParam('credentialId', CREDENTIAL_ID) credentialId: string,
  ): Promise<void> {
    return this.credentials.revoke(context, SERVER, serviceAccountId, credentialId);
  }

  @Delete(':serviceAccountId/credentials/:credentialId/purge')
  @HttpCode(204)
  @RequireAccess(Permission.ServerServiceAccountsRotateCredentials, on.server)
  @Describe('Delete a credential of an account of the server', 'Deletes a revoked or expired credential.')
  @Answers(204, 'The credential is deleted.', null, { 400: STILL_ACTIVE, 404: UNKNOWN_CREDENTIAL })
  purgeCredential(
    @Context() context: RequestContext,
    @GuidParam('serviceAccountId', ACCOUNT_ID) serviceAccountId: string,
    @GuidParam('credentialId', CREDENTIAL_ID) credentialId: string,
  ): Promise<void> {
    return this.credentials.purge(context, SERVER, serviceAccountId, credentialId);
  }
}
