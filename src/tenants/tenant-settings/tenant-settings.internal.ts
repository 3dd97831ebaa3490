import { Delete, Get } from '@nestjs/common';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { TextParam } from '../../platform/http/binding/route-parameters.js';
import { internalTwinOf, TwinOf } from '../../system/internal-surface/internal-twin.js';
import type { TenantSettingResponseDto } from './tenant-setting.dto.js';
import { EXAMPLE_NAME, SETTING_NAME, TenantSettingsController } from './tenant-settings.controller.js';

export class TenantSettingsInternalController extends internalTwinOf(TenantSettingsController, 'api/tenant-settings', {
  list: {},
  set: {},
  replace: {},
}) {
  @TwinOf(TenantSettingsController, 'get')
  @Get(':name')
  override get(
    @Context() context: TenantContext,
    @TextParam('name', SETTING_NAME, EXAMPLE_NAME) name: string,
  ): Promise<TenantSettingResponseDto | null> {
    return super.get(context, name);
  }

  @TwinOf(TenantSettingsController, 'remove')
  @Delete(':name')
  override remove(@Context() context: TenantContext, @TextParam('name', SETTING_NAME, EXAMPLE_NAME) name: string): Promise<void> {
    return super.remove(context, name, undefined);
  }
}
