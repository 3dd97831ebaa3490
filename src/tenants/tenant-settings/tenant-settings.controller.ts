import { Body, Controller, Delete, Get, HttpCode, Post, Put, UseInterceptors } from '@nestjs/common';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { RequireAccess, TenantInQuery } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import type { ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { TextParam } from '../../platform/http/binding/route-parameters.js';
import { IfMatch, Tagged } from '../../platform/http/bodies/entity-tags.js';
import { NoContentWhenNull } from '../../platform/http/bodies/no-content.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { TenantSettingRequestDto, TenantSettingResponseDto, TenantSettingsDto } from './tenant-setting.dto.js';
import { tenantSettingsState, tenantSettingState, TenantSettingsService } from './tenant-settings.service.js';

export const SETTING_NAME = 'Name of the setting, 1 to 100 letters, digits and hyphens.';
export const EXAMPLE_NAME = 'instance-id';

@Group('TenantSettings')
@Controller('api/v1/tenant-settings')
@TenantInQuery()
export class TenantSettingsController {
  constructor(private readonly settings: TenantSettingsService) {}

  @Get()
  @Tagged(tenantSettingsState)
  @RequireAccess(Permission.TenantSettingsRead)
  @Describe('List the tenant settings', 'The settings that the service knows, with null for those that are not set.')
  @Answers(200, 'The settings.', TenantSettingsDto)
  list(@Context() context: TenantContext): Promise<TenantSettingsDto> {
    return this.settings.list(context);
  }

  @Get(':settingName')
  @Tagged(tenantSettingState)
  @RequireAccess(Permission.TenantSettingsRead)
  @UseInterceptors(NoContentWhenNull)
  @Describe('Get a tenant setting', 'Returns the text stored under the name, also for names that the service does not know.')
  @Answers(200, 'The setting.', TenantSettingResponseDto)
  @Answers(204, 'The setting is not set.', null)
  get(
    @Context() context: TenantContext,
    @TextParam('settingName', SETTING_NAME, EXAMPLE_NAME) settingName: string,
  ): Promise<TenantSettingResponseDto | null> {
    return this.settings.get(context, settingName);
  }

  @Post()
  @Tagged(tenantSettingState)
  @HttpCode(200)
  @RequireAccess(Permission.TenantSettingsWrite)
  @Describe(
    'Set a tenant setting',
    'Stores a text under a name. For settings that the service knows, the text must be valid; under other names any text is stored. A blank value removes the setting.',
  )
  @Answers(200, 'The changed setting.', TenantSettingResponseDto)
  set(
    @Context() context: TenantContext,
    @Body() body: TenantSettingRequestDto,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<TenantSettingResponseDto> {
    return this.settings.set(context, body.name, body.value, expected);
  }

  @Put()
  @Tagged(tenantSettingsState)
  @RequireAccess(Permission.TenantSettingsWrite)
  @Describe('Replace the tenant settings', 'Sets every setting that the service knows. Settings with other names stay.')
  @Answers(200, 'The changed settings.', TenantSettingsDto)
  replace(
    @Context() context: TenantContext,
    @Body() body: TenantSettingsDto,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<TenantSettingsDto> {
    return this.settings.change(context, body, expected);
  }

  @Delete(':settingName')
  @HttpCode(204)
  @RequireAccess(Permission.TenantSettingsWrite)
  @Describe('Remove a tenant setting', 'Also succeeds if the setting is not set.')
  @Answers(204, 'The setting is removed.', null)
  remove(
    @Context() context: TenantContext,
    @TextParam('settingName', SETTING_NAME, EXAMPLE_NAME) settingName: string,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<void> {
    return this.settings.remove(context, settingName, expected);
  }
}
