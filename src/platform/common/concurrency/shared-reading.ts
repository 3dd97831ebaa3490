/** Limits on a shared reading, in milliseconds. */
export interface ReadingLimits {
  /** Age after which the value is read again. */
  readonly maximumAgeMs: number;
  readonly timeoutMs: number;
}

/** A value that is read for all who ask at the same time, and for those who ask soon after, so that their number does not matter. */
export class SharedReading<T> {
  private latest: { readonly startedAt: number; readonly value: Promise<T | null> } | null = null;
  private isUnderWay = false;

  constructor(
    private readonly read: () => Promise<T>,
    private readonly limits: ReadingLimits,
  ) {}

  /** The value; null when reading it failed or took too long. Never rejects. */
  get(): Promise<T | null> {
    const now = performance.now();
    if (this.latest === null || (!this.isUnderWay && now - this.latest.startedAt > this.limits.maximumAgeMs)) {
      this.latest = { startedAt: now, value: this.begin() };
    }
    return this.latest.value;
  }

  private async begin(): Promise<T | null> {
    this.isUnderWay = true;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), this.limits.timeoutMs);
    });
    const value = this.read().catch(() => null);
    try {
      return await Promise.race([value, late]);
    } finally {
      clearTimeout(timer);
      this.isUnderWay = false;
    }
  }
}
