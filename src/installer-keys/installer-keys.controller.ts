import { Body, Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';

import { Context, type TenantContext } from '../authentication/request-context.js';
import { RequireAccess, TenantInBody, TenantInQuery } from '../authorization/access.js';
import { Permission } from '../authorization/permission.js';
import { GuidParam } from '../http/binding/route-parameters.js';
import { streamJson } from '../http/json-stream.js';
import { Answers } from '../openapi/operation.js';
import {
  CreateInstallerKeyRequestDto,
  CreateInstallerKeyResponseDto,
  InstallerKeysResponseDto,
  InstallerKeyUsagesResponseDto,
  RenameInstallerKeyRequestDto,
} from './installer-key.dto.js';
import { InstallerKeysService } from './installer-keys.service.js';

@ApiTags('InstallerKeys')
@Controller('api/v1/installer-keys')
export class InstallerKeysController {
  constructor(private readonly keys: InstallerKeysService) {}

  @Post()
  @HttpCode(200)
  @TenantInBody()
  @RequireAccess(Permission.InstallerKeyWrite)
  @Answers(200, '', CreateInstallerKeyResponseDto, { 404: '' })
  create(@Context() context: TenantContext, @Body() body: CreateInstallerKeyRequestDto): Promise<CreateInstallerKeyResponseDto> {
    return this.keys.create(context, body);
  }

  @Get()
  @TenantInQuery()
  @RequireAccess(Permission.InstallerKeyRead)
  @Answers(200, '', InstallerKeysResponseDto)
  async list(@Context() context: TenantContext, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: await this.keys.list(context) });
  }

  @Get(':keyId/usages')
  @TenantInQuery()
  @RequireAccess(Permission.InstallerKeyRead)
  @Answers(200, '', InstallerKeyUsagesResponseDto, { 404: '' })
  async usages(@Context() context: TenantContext, @GuidParam('keyId', '') keyId: string, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: await this.keys.usages(context, keyId) });
  }

  @Put(':keyId')
  @HttpCode(204)
  @TenantInQuery()
  @RequireAccess(Permission.InstallerKeyWrite)
  @Answers(204, '', null, { 404: '' })
  rename(
    @Context() context: TenantContext,
    @GuidParam('keyId', '') keyId: string,
    @Body() body: RenameInstallerKeyRequestDto,
  ): Promise<void> {
    return this.keys.rename(context, keyId, body.friendlyName);
  }

  @Delete(':keyId')
  @HttpCode(204)
  @TenantInQuery()
  @RequireAccess(Permission.InstallerKeyWrite)
  @Answers(204, '', null, { 404: '' })
  remove(@Context() context: TenantContext, @GuidParam('keyId', '') keyId: string): Promise<void> {
    return this.keys.remove(context, keyId);
  }
}
