import { Body, Controller, Delete, Get, HttpCode, Post, Put, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Context, type TenantContext } from '../authentication/request-context.js';
import { RequireAccess, TenantInQuery } from '../authorization/access.js';
import { Permission } from '../authorization/permission.js';
import { TextParam } from '../http/binding/route-parameters.js';
import { NoContentWhenNull } from '../http/no-content.js';
import { Answers } from '../openapi/operation.js';
import { TenantSettingRequestDto, TenantSettingResponseDto, TenantSettingsDto } from './tenant-setting.dto.js';
import { TenantSettingsService } from './tenant-settings.service.js';

@ApiTags('TenantSettings')
@Controller('api/v1/tenant-settings')
@TenantInQuery()
export class TenantSettingsController {
  constructor(private readonly settings: TenantSettingsService) {}

  @Get()
  @RequireAccess(Permission.TenantSettingsRead)
  @Answers(200, '', TenantSettingsDto)
  list(@Context() context: TenantContext): Promise<TenantSettingsDto> {
    return this.settings.list(context);
  }

  @Get(':settingName')
  @RequireAccess(Permission.TenantSettingsRead)
  @UseInterceptors(NoContentWhenNull)
  @Answers(200, '', TenantSettingResponseDto, { 404: '' })
  @Answers(204, '', null)
  get(@Context() context: TenantContext, @TextParam('settingName', '', '') settingName: string): Promise<TenantSettingResponseDto | null> {
    return this.settings.get(context, settingName);
  }

  @Post()
  @HttpCode(200)
  @RequireAccess(Permission.TenantSettingsWrite)
  @Answers(200, '', TenantSettingResponseDto, { 404: '' })
  set(@Context() context: TenantContext, @Body() body: TenantSettingRequestDto): Promise<TenantSettingResponseDto> {
    return this.settings.set(context, body.name, body.value);
  }

  @Put()
  @RequireAccess(Permission.TenantSettingsWrite)
  @Answers(200, '', TenantSettingsDto, { 404: '' })
  replace(@Context() context: TenantContext, @Body() body: TenantSettingsDto): Promise<TenantSettingsDto> {
    return this.settings.replace(context, body);
  }

  @Delete(':settingName')
  @HttpCode(204)
  @RequireAccess(Permission.TenantSettingsWrite)
  @Answers(204, '', null, { 404: '' })
  remove(@Context() context: TenantContext, @TextParam('settingName', '', '') settingName: string): Promise<void> {
    return this.settings.remove(context, settingName);
  }
}
