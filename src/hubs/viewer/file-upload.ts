import { Injectable } from '@nestjs/common';

import { agentClient, hubFailure, hubOk, type FileUploadMetadata, type HubResult } from '#libs/contracts';
import { HubError } from '#libs/signalr';

import { Settings } from '../../config/settings.js';
import { DeviceLink } from '../../device-link/device-link.js';

const OFFLINE = 'Device is not currently connected.';
const CANCELED = 'File upload was canceled.';
/** Agents look for these words in the error that ends their stream. */
const CANCELED_FOR_AGENT = 'The upload was canceled by client.';

/** Passes a file that a viewer streams through the hub on to a device. Nothing is stored on the server. */
@Injectable()
export class FileUpload {
  constructor(
    private readonly link: DeviceLink,
    private readonly settings: Settings,
  ) {}

  /** Passes the bytes on until the agent has written them. `canceled` fires when the viewer cancels the call or disconnects. */
  async upload(metadata: FileUploadMetadata, bytes: AsyncIterable<Uint8Array>, canceled: AbortSignal): Promise<HubResult> {
    const { deviceId, fileName, fileSize, overwrite, targetDirectory } = metadata;
    const limit = this.settings.appOptions.maxFileTransferSize;
    if (limit > 0 && fileSize > limit) return hubFailure(tooLarge(limit));
    if (!this.link.isOnline(deviceId)) return hubFailure(OFFLINE);
    const source = new LimitedSource(bytes, limit);
    const sent = this.link.sendStream(
      deviceId,
      () => source.read(),
      (invoke, streamId) =>
        invoke(agentClient.DownloadFileFromViewer, [{ streamId, targetDirectoryPath: targetDirectory, fileName, fileSize, overwrite }]),
      canceled,
    );
    // A failure on the server takes precedence: an agent whose stream breaks may answer anything or nothing.
    const result = await sent.catch((error: unknown) => {
      if (source.failure === null) throw error;
      return hubFailure(source.failure);
    });
    if (source.failure !== null) return hubFailure(source.failure);
    return result.isSuccess ? hubOk() : hubFailure(`Agent failed to download file: ${result.reason ?? 'no reason given.'}`);
  }
}

/** The viewer's bytes, counted. Exceeding the limit, or a cancellation by the viewer, ends the agent's stream with an error. */
class LimitedSource {
  failure: string | null = null;

  constructor(
    private readonly bytes: AsyncIterable<Uint8Array>,
    private readonly limit: number,
  ) {}

  async *read(): AsyncIterable<Uint8Array> {
    let total = 0;
    try {
      for await (const item of this.bytes) {
        total += item.length;
        if (this.limit > 0 && total > this.limit) {
          this.failure = tooLarge(this.limit);
          throw new HubError(this.failure);
        }
        yield item;
      }
    } catch (error) {
      this.failure ??= CANCELED;
      throw error instanceof HubError ? error : new HubError(CANCELED_FOR_AGENT);
    }
  }
}

function tooLarge(limit: number): string {
  return `The file is larger than the limit of ${limit} bytes.`;
}
