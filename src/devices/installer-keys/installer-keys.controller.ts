import { Body, Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { RequireAccess, TenantInBody, TenantInQuery } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { streamJson } from '../../platform/http/bodies/json-stream.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import {
  CreateInstallerKeyRequestDto,
  CreateInstallerKeyResponseDto,
  InstallerKeysResponseDto,
  InstallerKeyUsagesResponseDto,
  RenameInstallerKeyRequestDto,
} from './installer-key.dto.js';
import { InstallerKeysService } from './installer-keys.service.js';

const KEY_ID = 'Id of the installer key.';
const UNKNOWN = 'The tenant has no such key that the caller may manage.';

@Group('InstallerKeys')
@Controller('api/v1/installer-keys')
export class InstallerKeysController {
  constructor(private readonly keys: InstallerKeysService) {}

  @Post()
  @HttpCode(200)
  @TenantInBody()
  @RequireAccess(Permission.InstallerKeyWrite)
  @Describe(
    'Create an installer key',
    'Creates a key with which agents register devices in the tenant. Only this answer contains its secret.',
  )
  @Answers(200, 'The new key with its secret.', CreateInstallerKeyResponseDto)
  create(@Context() context: TenantContext, @Body() body: CreateInstallerKeyRequestDto): Promise<CreateInstallerKeyResponseDto> {
    return this.keys.create(context, body);
  }

  @Get()
  @TenantInQuery()
  @RequireAccess(Permission.InstallerKeyRead)
  @Describe(
    'List the installer keys',
    'The keys that the caller has created; with `installer-key.manage-all`, all keys of the tenant. The answer contains no secrets.',
  )
  @Answers(200, 'The keys.', InstallerKeysResponseDto)
  async list(@Context() context: TenantContext, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: await this.keys.list(context) });
  }

  @Get(':keyId/usages')
  @TenantInQuery()
  @RequireAccess(Permission.InstallerKeyRead)
  @Describe(
    'List the registrations with a key',
    'The devices that were registered with the key, latest first. Old entries are deleted after some time.',
  )
  @Answers(200, 'The registrations.', InstallerKeyUsagesResponseDto, { 404: UNKNOWN })
  async usages(@Context() context: TenantContext, @GuidParam('keyId', KEY_ID) keyId: string, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: await this.keys.usages(context, keyId) });
  }

  @Put(':keyId')
  @HttpCode(204)
  @TenantInQuery()
  @RequireAccess(Permission.InstallerKeyWrite)
  @Describe('Rename an installer key', 'Changes only the name.')
  @Answers(204, 'The key has its new name.', null, { 404: UNKNOWN })
  rename(
    @Context() context: TenantContext,
    @GuidParam('keyId', KEY_ID) keyId: string,
    @Body() body: RenameInstallerKeyRequestDto,
  ): Promise<void> {
    return this.keys.rename(context, keyId, body.friendlyName);
  }

  @Delete(':keyId')
  @HttpCode(204)
  @TenantInQuery()
  @RequireAccess(Permission.InstallerKeyWrite)
  @Describe('Delete an installer key', 'No more devices can be registered with the key. Devices that were registered with it stay.')
  @Answers(204, 'The key is deleted.', null, { 404: UNKNOWN })
  remove(@Context() context: TenantContext, @GuidParam('keyId', KEY_ID) keyId: string): Promise<void> {
    return this.keys.remove(context, keyId);
  }
}
