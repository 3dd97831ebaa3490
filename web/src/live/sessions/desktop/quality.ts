import type { CaptureSettings } from './worker/messages.js';

/** Sharpness that the user asks for: the device decides by the line, or it is always the same. */
export type Quality = 'automatic' | 'sharp' | 'balanced' | 'fast';

export const QUALITIES: readonly Quality[] = ['automatic', 'sharp', 'balanced', 'fast'];

/** Quality of pictures, 1 to 100, where it is always the same. */
const MANUAL: Readonly<Record<Exclude<Quality, 'automatic'>, number>> = { sharp: 95, balanced: 75, fast: 40 };
const AUTOMATIC = {
  autoQualityMaximum: 80,
  autoQualityMinimum: 20,
  autoQualityLowerThresholdMbps: 5,
  autoQualityUpperThresholdMbps: 40,
} as const;
/** Limit of the line where it is limited, in Mbit/s. */
const LIMIT_MBPS = 100;
const JPEG = 0;

/**
 * The settings of the capture. Users who only look see the pointer of the device in the picture. With `clipboardSync` the device sends each
 * text that is copied there.
 */
export function captureSettings(quality: Quality, isViewOnly: boolean, clipboardSync: boolean): CaptureSettings {
  return {
    captureCursor: isViewOnly,
    enableDirectX: true,
    isAutoQualityEnabled: quality === 'automatic',
    manualQuality: quality === 'automatic' ? MANUAL.balanced : MANUAL[quality],
    ...AUTOMATIC,
    isMaxBandwidthEnabled: false,
    maxBandwidthMbps: LIMIT_MBPS,
    encodingFormat: JPEG,
    videoCodecs: [],
    mixedFormats: true,
    clipboardSync,
  };
}
