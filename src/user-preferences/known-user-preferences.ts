import { namesOf } from '../http/binding/enum-fields.js';
import { decimal, oneOf, textOf, trueOrFalse, wholeNumber } from '../named-settings/named-setting.js';

export enum ImageFormat {
  Jpeg = 'Jpeg',
  Png = 'Png',
  WebP = 'WebP',
}

export enum KeyboardInputMode {
  Auto = 'Auto',
  Physical = 'Physical',
  Virtual = 'Virtual',
}

export enum ThemeMode {
  Auto = 'Auto',
  Light = 'Light',
  Dark = 'Dark',
}

export enum ViewMode {
  Fit = 'Fit',
  Stretch = 'Stretch',
  Scale = 'Scale',
}

const MBPS = { min: 0.1 };

/** The preferences that the service knows, each under the member of the DTO that carries it. */
export const preference = {
  autoQualityLowerThresholdMbps: decimal('auto-quality-lower-threshold-mbps', '', 5, MBPS),
  autoQualityMaximum: wholeNumber('auto-quality-maximum', '', 80, { min: 2, max: 100 }),
  autoQualityMinimum: wholeNumber('auto-quality-minimum', '', 20, { min: 1, max: 99 }),
  autoQualityUpperThresholdMbps: decimal('auto-quality-upper-threshold-mbps', '', 15, MBPS),
  captureCursor: trueOrFalse<boolean>('capture-cursor', '', false),
  encodingFormat: oneOf<ImageFormat>('encoding-format', '', ImageFormat.Jpeg, namesOf('ImageFormat', ImageFormat)),
  enableDirectX: trueOrFalse<boolean>('enable-directx', '', true),
  hideOfflineDevices: trueOrFalse<boolean>('hide-offline-devices', '', true),
  showOnlyUntaggedDevices: trueOrFalse<boolean>('show-only-untagged-devices', '', false),
  showOnlyUngroupedDevices: trueOrFalse<boolean>('show-only-ungrouped-devices', '', false),
  isAutoQualityEnabled: trueOrFalse<boolean>('is-auto-quality-enabled', '', false),
  isMaxBandwidthEnabled: trueOrFalse<boolean>('is-max-bandwidth-enabled', '', false),
  keyboardInputMode: oneOf<KeyboardInputMode>(
    'keyboard-input-mode',
    '',
    KeyboardInputMode.Auto,
    namesOf('KeyboardInputMode', KeyboardInputMode),
  ),
  manualQuality: wholeNumber('manual-quality', '', 75, { min: 1, max: 100 }),
  maxBandwidthMbps: decimal('max-bandwidth-mbps', '', 15, MBPS),
  notifyUserOnSessionStart: trueOrFalse<boolean>('notify-user-on-session-start', '', true),
  openDeviceInNewTab: trueOrFalse<boolean>('open-device-in-new-tab', '', true),
  themeMode: oneOf<ThemeMode>('theme-mode', '', ThemeMode.Dark, namesOf('ThemeMode', ThemeMode)),
  userDisplayName: textOf<string>('user-display-name', '', '', {
    max: 50,
    // A mark belongs to the letter before it in many scripts.
    pattern: /^[\p{L}\p{M}\p{Nd} _-]*$/u,
    rule: 'letters, digits, spaces, underscores and hyphens',
    example: '',
  }),
  viewMode: oneOf<ViewMode>('view-mode', '', ViewMode.Fit, namesOf('ViewMode', ViewMode)),
};
