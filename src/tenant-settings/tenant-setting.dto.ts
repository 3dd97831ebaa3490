import { Guid, Text } from '../http/binding/fields.js';
import { MAXIMUM_SETTING_LENGTH } from '../named-settings/named-settings.js';
import { setting } from './known-tenant-settings.js';

/** Every known setting of a tenant; null where it is not set. */
export class TenantSettingsDto {
  /** Whether agents install themselves under the name of this instance, beside agents of other servers. */
  @setting.appendInstanceId.field appendInstanceId: boolean | null;
  @setting.instanceId.field instanceId: string | null;
  /** Overrides the preference of every user. */
  @setting.notifyUserOnSessionStart.field notifyUserOnSessionStart: boolean | null;
}

export class TenantSettingRequestDto {
  @Text('', { max: MAXIMUM_SETTING_LENGTH, notBlank: true }) name: string;
  @Text('A blank value removes the setting.', { max: MAXIMUM_SETTING_LENGTH }) value: string;
}

export class TenantSettingResponseDto {
  @Guid('Null when the setting is not set.', { nullable: true }) id: string | null;
  @Text('') name: string;
  @Text('', { nullable: true }) value: string | null;
}
