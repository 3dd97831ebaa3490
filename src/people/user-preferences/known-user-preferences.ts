import { namesOf } from '../../platform/http/binding/enum-fields.js';
import { decimal, oneOf, textOf, trueOrFalse, wholeNumber } from '../../tenants/named-settings/named-setting.js';

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

/** The preferences that the service knows, by the DTO member that carries them. */
export const preference = {
  autoQualityLowerThresholdMbps: decimal(
    'auto-quality-lower-threshold-mbps',
    'Automatic quality goes down below this bandwidth, in megabits per second.',
    5,
    MBPS,
  ),
  autoQualityMaximum: wholeNumber('auto-quality-maximum', 'Highest image quality that automatic quality uses.', 80, { min: 2, max: 100 }),
  autoQualityMinimum: wholeNumber('auto-quality-minimum', 'Lowest image quality that automatic quality uses.', 20, { min: 1, max: 99 }),
  autoQualityUpperThresholdMbps: decimal(
    'auto-quality-upper-threshold-mbps',
    'Automatic quality goes up above this bandwidth, in megabits per second.',
    15,
    MBPS,
  ),
  captureCursor: trueOrFalse<boolean>(
    'capture-cursor',
    "True if the picture of a remote desktop shows the device's own mouse pointer.",
    false,
  ),
  encodingFormat: oneOf<ImageFormat>(
    'encoding-format',
    'Format in which pictures of a remote desktop are sent.',
    ImageFormat.Jpeg,
    namesOf('ImageFormat', ImageFormat),
  ),
  enableDirectX: trueOrFalse<boolean>('enable-directx', 'True if remote desktops on Windows are captured with DirectX.', true),
  hideOfflineDevices: trueOrFalse<boolean>('hide-offline-devices', 'True if the list of devices hides those that are offline.', true),
  showOnlyUntaggedDevices: trueOrFalse<boolean>(
    'show-only-untagged-devices',
    'True if the list of devices shows only those without a tag.',
    false,
  ),
  showOnlyUngroupedDevices: trueOrFalse<boolean>(
    'show-only-ungrouped-devices',
    'True if the list of devices shows only those in no device group.',
    false,
  ),
  isAutoQualityEnabled: trueOrFalse<boolean>('is-auto-quality-enabled', 'True if the image quality follows the bandwidth.', false),
  isMaxBandwidthEnabled: trueOrFalse<boolean>('is-max-bandwidth-enabled', 'True if `maxBandwidthMbps` limits a remote session.', false),
  keyboardInputMode: oneOf<KeyboardInputMode>(
    'keyboard-input-mode',
    'Form in which key presses are sent to a remote desktop.',
    KeyboardInputMode.Auto,
    namesOf('KeyboardInputMode', KeyboardInputMode, {
      Auto: 'chosen by the key that is pressed.',
      Physical: 'as positions of keys; the layout of the device decides what they mean.',
      Virtual: 'as characters; the layout of the viewer decides.',
    }),
  ),
  manualQuality: wholeNumber('manual-quality', 'Image quality while automatic quality is off.', 75, { min: 1, max: 100 }),
  maxBandwidthMbps: decimal('max-bandwidth-mbps', 'Bandwidth that a remote session may use, in megabits per second.', 15, MBPS),
  notifyUserOnSessionStart: trueOrFalse<boolean>(
    'notify-user-on-session-start',
    'True if the person at the device is notified when a remote session starts. A setting of the tenant overrides it.',
    true,
  ),
  openDeviceInNewTab: trueOrFalse<boolean>('open-device-in-new-tab', 'True if devices open in a new browser tab.', true),
  themeMode: oneOf<ThemeMode>(
    'theme-mode',
    'Colors of the web front end.',
    ThemeMode.Dark,
    namesOf('ThemeMode', ThemeMode, { Auto: 'as the browser prefers.' }),
  ),
  userDisplayName: textOf<string>('user-display-name', 'Name under which the person at the device sees the user.', '', {
    max: 50,
    // In many scripts, a combining mark belongs to the letter before it.
    pattern: /^[\p{L}\p{M}\p{Nd} _-]*$/u,
    rule: 'letters, digits, spaces, underscores and hyphens, at least one of them visible',
    example: 'Anna Berg',
  }),
  viewMode: oneOf<ViewMode>(
    'view-mode',
    'Scaling of a remote desktop in the window.',
    ViewMode.Fit,
    namesOf('ViewMode', ViewMode, {
      Fit: 'as large as fits, with its proportions.',
      Stretch: 'fills the window.',
      Scale: 'at a zoom that the user chooses.',
    }),
  ),
};
