import type { UpdateCaptureSettings } from '#libs/desktop-stream';

const WINDOW_MS = 1_000;
const BITS_PER_MEGABIT = 1_000_000;
const LOWEST = 1;
const HIGHEST = 100;

/** The settings of a session whose viewer has not sent any. */
export const USUAL_SETTINGS: UpdateCaptureSettings = {
  captureCursor: false,
  enableDirectX: false,
  isAutoQualityEnabled: true,
  manualQuality: 75,
  autoQualityLowerThresholdMbps: 5,
  autoQualityMaximum: 75,
  autoQualityMinimum: 30,
  autoQualityUpperThresholdMbps: 40,
  isMaxBandwidthEnabled: false,
  maxBandwidthMbps: 100,
  encodingFormat: 0,
  videoCodecs: [],
  mixedFormats: false,
  clipboardSync: false,
};

/** JPEG quality, 1 to 100, at a rate that is being sent. Settings that make no sense are brought into their limits. */
export function qualityFor(settings: UpdateCaptureSettings, mbps: number): number {
  if (!settings.isAutoQualityEnabled) return limited(settings.manualQuality);
  const best = limited(settings.autoQualityMaximum);
  const worst = Math.min(best, limited(settings.autoQualityMinimum));
  const { autoQualityLowerThresholdMbps: lower, autoQualityUpperThresholdMbps: upper } = settings;
  if (!(mbps > lower)) return best;
  if (!(mbps < upper)) return worst;
  return Math.round(best - ((best - worst) * (mbps - lower)) / (upper - lower));
}

/** Most bytes a second that the settings allow. */
export function byteLimit({ isMaxBandwidthEnabled, maxBandwidthMbps }: UpdateCaptureSettings): number {
  if (!isMaxBandwidthEnabled || !(maxBandwidthMbps > 0)) return Infinity;
  return (maxBandwidthMbps * BITS_PER_MEGABIT) / 8;
}

function limited(quality: number): number {
  return Number.isFinite(quality) ? Math.max(LOWEST, Math.min(HIGHEST, Math.round(quality))) : HIGHEST;
}

/** The bytes that were sent within the last second. Times are in milliseconds of a clock that never goes back. */
export class RateMeter {
  private readonly sent: { readonly at: number; readonly bytes: number }[] = [];
  private bytes = 0;

  add(bytes: number, at: number): void {
    this.sent.push({ at, bytes });
    this.bytes += bytes;
    this.forget(at);
  }

  mbps(now: number): number {
    this.forget(now);
    return (this.bytes * 8) / BITS_PER_MEGABIT;
  }

  /** The time from which on so many bytes more are within a limit of bytes a second. More than the limit wait until nothing was sent. */
  freeAt(more: number, limit: number): number {
    let bytes = this.bytes + more;
    let free = -Infinity;
    for (const sent of this.sent) {
      if (bytes <= limit) break;
      bytes -= sent.bytes;
      free = sent.at + WINDOW_MS;
    }
    return free;
  }

  private forget(now: number): void {
    while (this.sent.length > 0 && this.sent[0].at <= now - WINDOW_MS) this.bytes -= this.sent.shift()?.bytes ?? 0;
  }
}
