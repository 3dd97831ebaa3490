import { Bool, Guid, Text } from '../../platform/http/binding/fields.js';
import { MAXIMUM_SETTING_LENGTH } from '../../tenants/named-settings/named-settings.js';
import { preference, type ImageFormat, type KeyboardInputMode, type ThemeMode, type ViewMode } from './known-user-preferences.js';

const NAME = 'Name of the preference: letters, digits and hyphens.';
const EXAMPLE_NAME = 'theme-mode';
const EXAMPLE_VALUE = 'Dark';

/** Every known preference. In a request, null restores the default, and an omitted preference stays unchanged. */
export class UserPreferencesDto {
  @preference.autoQualityLowerThresholdMbps.field autoQualityLowerThresholdMbps: number;
  @preference.autoQualityMaximum.field autoQualityMaximum: number;
  @preference.autoQualityMinimum.field autoQualityMinimum: number;
  @preference.autoQualityUpperThresholdMbps.field autoQualityUpperThresholdMbps: number;
  @preference.captureCursor.field captureCursor: boolean;
  @preference.encodingFormat.field encodingFormat: ImageFormat;
  @preference.enableDirectX.field enableDirectX: boolean;
  @preference.hideOfflineDevices.field hideOfflineDevices: boolean;
  @preference.showOnlyUntaggedDevices.field showOnlyUntaggedDevices: boolean;
  @preference.showOnlyUngroupedDevices.field showOnlyUngroupedDevices: boolean;
  @preference.isAutoQualityEnabled.field isAutoQualityEnabled: boolean;
  @preference.isMaxBandwidthEnabled.field isMaxBandwidthEnabled: boolean;
  @preference.keyboardInputMode.field keyboardInputMode: KeyboardInputMode;
  @preference.manualQuality.field manualQuality: number;
  @preference.maxBandwidthMbps.field maxBandwidthMbps: number;
  @preference.notifyUserOnSessionStart.field notifyUserOnSessionStart: boolean;
  @preference.openDeviceInNewTab.field openDeviceInNewTab: boolean;
  @preference.themeMode.field themeMode: ThemeMode;
  @preference.userDisplayName.field userDisplayName: string;
  @preference.viewMode.field viewMode: ViewMode;
}

export class UserPreferenceRequestDto {
  @Text(NAME, { max: MAXIMUM_SETTING_LENGTH, notBlank: true, example: EXAMPLE_NAME }) name: string;
  @Text('The text to store. A blank one removes the preference.', { max: MAXIMUM_SETTING_LENGTH, example: EXAMPLE_VALUE }) value: string;
}

export class UserPreferenceResponseDto {
  @Guid('Id of the stored preference; null if it is not set.', { nullable: true }) id: string | null;
  @Text(NAME, { example: EXAMPLE_NAME }) name: string;
  @Text('The stored text; null if the preference is not set.', { nullable: true, example: EXAMPLE_VALUE }) value: string | null;
}

export class EffectiveUserPreferencesDto {
  @Bool('True if the person at the device is notified when a remote session starts.') notifyUserOnSessionStart: boolean;
  @Bool('True if a setting of the tenant overrides the preference of the user.') isNotifyUserOnSessionStartTenantEnforced: boolean;
}
