import { Guid, Text } from '../../platform/http/binding/fields.js';
import { MAXIMUM_SETTING_LENGTH } from '../named-settings/named-settings.js';
import { setting } from './known-tenant-settings.js';

const NAME = 'Name of the setting: letters, digits and hyphens.';
const EXAMPLE_NAME = 'instance-id';
const EXAMPLE_VALUE = 'workshop';

/** Every known setting of a tenant; null when it is not set. In a request, an omitted setting stays unchanged. */
export class TenantSettingsDto {
  @setting.appendInstanceId.field appendInstanceId: boolean | null;
  @setting.instanceId.field instanceId: string | null;
  @setting.notifyUserOnSessionStart.field notifyUserOnSessionStart: boolean | null;
  @setting.requireApprovalForNewDeviceKeys.field requireApprovalForNewDeviceKeys: boolean | null;
}

export class TenantSettingRequestDto {
  @Text(NAME, { max: MAXIMUM_SETTING_LENGTH, notBlank: true, example: EXAMPLE_NAME }) name: string;
  @Text('The text to store. A blank one removes the setting.', { max: MAXIMUM_SETTING_LENGTH, example: EXAMPLE_VALUE }) value: string;
}

export class TenantSettingResponseDto {
  @Guid('Id of the stored setting; null if it is not set.', { nullable: true }) id: string | null;
  @Text(NAME, { example: EXAMPLE_NAME }) name: string;
  @Text('The stored text; null if the setting is not set.', { nullable: true, example: EXAMPLE_VALUE }) value: string | null;
}
