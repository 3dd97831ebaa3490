import type { FileUploadMetadata, HubResult } from '#libs/contracts';

/** The injection token of {@link UploadsElsewhere}. A service of one node provides nothing under it. */
export const UPLOADS_ELSEWHERE = Symbol('UploadsElsewhere');

/** An upload on its way to the agent of its device. */
export interface PassedUpload {
  readonly metadata: FileUploadMetadata;
  /** The time since which it has waited, by the monotonic clock in milliseconds; undefined when that is not known. */
  readonly madeAt: number | undefined;
}

/** Uploads of viewers to devices that are connected to other nodes. */
export interface UploadsElsewhere {
  /**
   * Checks that a device is connected to another node.
   * @throws KeyPendingError when its key waits for approval
   */
  has(deviceId: string): Promise<boolean>;
  /**
   * Sends bytes to a device. Settles with the answer of its agent. Rejects once `failed` fires; the error with which the bytes ended is what
   * the agent is told.
   */
  send(upload: PassedUpload, source: () => AsyncIterable<Uint8Array>, failed: AbortSignal): Promise<HubResult>;
}
