import type { FileUploadMetadata, HubResult } from '#libs/contracts';

/** The injection token of {@link UploadsElsewhere}. A service of one node provides nothing under it. */
export const UPLOADS_ELSEWHERE = Symbol('UploadsElsewhere');

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
  send(metadata: FileUploadMetadata, source: () => AsyncIterable<Uint8Array>, failed: AbortSignal): Promise<HubResult>;
}
