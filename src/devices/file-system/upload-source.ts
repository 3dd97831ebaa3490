import { HubError } from '#libs/signalr';

import { DomainError, ErrorCode } from '../../platform/common/errors/errors.js';
import { deviceSilent } from '../device-link/device-failures.js';

/** Agents look for these words in the error that ends their stream. */
const CANCELED = 'The upload was canceled by client.';

/** Limits of an upload. */
export interface UploadLimits {
  /** Most bytes of the file; 0 or less has no limit. */
  readonly maximumSize: number;
  /** Longest time that the device may leave a piece untaken, in milliseconds. */
  readonly idleMs: number;
}

/**
 * The bytes of an upload as the device fetches them: counted, and watched for a device that stops taking them. The signal
 * fires with the reason as soon as the upload has failed; the device is told that it was cancelled.
 */
export class UploadSource {
  private readonly stop = new AbortController();
  private isRead = false;

  constructor(
    private readonly bytes: AsyncIterable<Uint8Array>,
    private readonly limits: UploadLimits,
  ) {}

  get signal(): AbortSignal {
    return this.stop.signal;
  }

  /** True if the device took everything. */
  get isWhole(): boolean {
    return this.isRead;
  }

  async *read(): AsyncIterable<Uint8Array> {
    /** True if a piece waits for the device. While the sender is slow, the device's time does not run. */
    let isOffered = false;
    const timer = setTimeout(() => {
      if (isOffered) this.stop.abort(deviceSilent());
    }, this.limits.idleMs);
    try {
      for await (const piece of withinSize(this.bytes, this.limits.maximumSize)) {
        isOffered = true;
        timer.refresh();
        yield piece;
        isOffered = false;
      }
      this.isRead = true;
    } catch (error) {
      this.stop.abort(error);
      throw new HubError(CANCELED, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The same bytes; 413 once they are more than the limit. A limit of 0 or less is none. */
export async function* withinSize(bytes: AsyncIterable<Uint8Array>, limit: number): AsyncIterable<Uint8Array> {
  let total = 0;
  for await (const piece of bytes) {
    total += piece.length;
    if (limit > 0 && total > limit) throw fileTooLarge(limit);
    yield piece;
  }
}

/** 413: the file is larger than the limit. */
export function fileTooLarge(limit: number): DomainError {
  return new DomainError(ErrorCode.PayloadTooLarge, `The file is larger than the limit of ${limit} bytes.`);
}
