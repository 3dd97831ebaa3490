import type { DeviceActivityOutcome, SessionConsent } from './device-activity-kinds.js';

/** An activity that has begun: counts its bytes until it ends. */
export class RunningActivity {
  /** Bytes that went to the device. */
  bytesIn = 0;
  /** Bytes that came from the device. */
  bytesOut = 0;
  private isOver = false;

  /** `onEnd` is told once how it ended. */
  constructor(
    /** Consent to it, if it is a remote control session. */
    public consent: SessionConsent | null,
    private readonly onEnd: (activity: RunningActivity, outcome: DeviceActivityOutcome) => void,
  ) {}

  /** The same bytes, counted as sent to the device. */
  async *countIn(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const piece of bytes) {
      this.bytesIn += piece.length;
      yield piece;
    }
  }

  /** The same bytes, counted as sent by the device. */
  async *countOut(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const piece of bytes) {
      this.bytesOut += piece.length;
      yield piece;
    }
  }

  /** Ends it. Only the first call counts. */
  end(outcome: DeviceActivityOutcome): void {
    if (this.isOver) return;
    this.isOver = true;
    this.onEnd(this, outcome);
  }
}
