import { Inject, Injectable, Optional } from '@nestjs/common';

import { agentClient, hubFailure, hubOk, REFUSED_REASON, viewerHub, type FileUploadMetadata, type HubResult } from '#libs/contracts';
import { ClientStreamError, HubError } from '#libs/signalr';

import type { Principal } from '../../../../access/authentication/principals/principal.js';
import { devicePermission } from '../../../../access/authorization/permissions/permission.js';
import { StandingRights, type EndCause } from '../../../../access/authorization/revocation/standing-rights.js';
import { DeviceLink } from '../../../../devices/device-link/device-link.js';
import { DeviceTimes } from '../../../../devices/device-link/device-times.js';
import { KEY_PENDING_REASON, KEY_REPLACED_REASON, messageOf } from '../../../../platform/common/errors/errors.js';
import { Settings } from '../../../../platform/config/settings.js';
import { UPLOADS_ELSEWHERE, type PassedUpload, type UploadsElsewhere } from './uploads-elsewhere.js';

/** The permission that a viewer needs on a device to upload to it. */
const PERMISSION = devicePermission(viewerHub.UploadFile.access.permission);
const OFFLINE = 'Device is not currently connected.';
const CANCELED = 'File upload was canceled.';
/** Agents look for these words in the error that ends their stream. */
export const CANCELED_FOR_AGENT = 'The upload was canceled by client.';

const END_REASONS: Readonly<Record<EndCause, string>> = {
  right: REFUSED_REASON,
  'key pending': KEY_PENDING_REASON,
  'key replaced': KEY_REPLACED_REASON,
};

/** A viewer's call with a file. */
interface UploadCall {
  readonly metadata: FileUploadMetadata;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** By the monotonic clock, in milliseconds. */
  readonly arrivedAt: number;
}

/** Passes a file that a viewer streams through the hub on to a device. Nothing is stored on the server. */
@Injectable()
export class FileUpload {
  constructor(
    private readonly link: DeviceLink,
    private readonly settings: Settings,
    private readonly times: DeviceTimes,
    private readonly rights: StandingRights,
    @Optional() @Inject(UPLOADS_ELSEWHERE) private readonly elsewhere?: UploadsElsewhere,
  ) {}

  /**
   * Passes the bytes on until the agent has written them. Ends early when the viewer sends nothing for too long, sends too much or too
   * little, or loses the right, and when another key speaks for the device, or no key does. `canceled` fires when the viewer cancels the
   * call or disconnects, `cut` when the service stops and the upload takes too long.
   */
  async upload(
    principal: Principal,
    { metadata, bytes, arrivedAt }: UploadCall,
    { canceled, cut }: { readonly canceled: AbortSignal; readonly cut: AbortSignal },
  ): Promise<HubResult> {
    const { deviceId, fileSize } = metadata;
    const limit = this.settings.appOptions.maxFileTransferSize;
    if (limit > 0 && fileSize > limit) return hubFailure(tooLarge(limit));
    const elsewhere = this.link.isOnline(deviceId) ? undefined : this.elsewhere;
    if (!this.link.isOnline(deviceId) && (await elsewhere?.has(deviceId)) !== true) return hubFailure(OFFLINE);
    const source = new WatchedSource(bytes, { limit, announced: fileSize, idleMs: this.times.idleMs });
    const cancel = (): void => source.fail(CANCELED);
    if (canceled.aborted) cancel();
    canceled.addEventListener('abort', cancel, { once: true });
    cut.addEventListener('abort', () => source.fail(messageOf(cut.reason)), { once: true });
    const end = (cause: EndCause): void => source.fail(END_REASONS[cause]);
    const standing = { principal, device: { id: deviceId, permission: PERMISSION }, end };
    this.rights.hold(standing);
    try {
      return await this.send({ metadata, madeAt: arrivedAt }, source, elsewhere);
    } finally {
      this.rights.release(standing);
      canceled.removeEventListener('abort', cancel);
    }
  }

  private async send(upload: PassedUpload, source: WatchedSource, elsewhere?: UploadsElsewhere): Promise<HubResult> {
    const read = (): AsyncIterable<Uint8Array> => source.read();
    const sent =
      elsewhere === undefined ? sendToAgent(this.link, upload, read, source.failed) : elsewhere.send(upload, read, source.failed);
    // A failure on the server takes precedence: an agent whose stream breaks may answer with any result, or with none.
    const result = await sent.catch((error: unknown) => {
      if (source.failure === null) throw error;
      return hubFailure(source.failure);
    });
    if (source.failure !== null) return hubFailure(source.failure);
    return result.isSuccess ? hubOk() : hubFailure(`Agent failed to download file: ${result.reason ?? 'no reason given.'}`);
  }
}

/** Has the agent of a device that is connected here fetch the bytes. */
export function sendToAgent(
  link: DeviceLink,
  { metadata: { deviceId, fileName, fileSize, overwrite, targetDirectory }, madeAt }: PassedUpload,
  source: () => AsyncIterable<Uint8Array>,
  failed: AbortSignal,
): Promise<HubResult> {
  return link.sendStream(
    deviceId,
    source,
    (invoke, streamId) =>
      invoke(agentClient.DownloadFileFromViewer, [{ streamId, targetDirectoryPath: targetDirectory, fileName, fileSize, overwrite }]),
    { signal: failed, madeAt },
  );
}

/** The limits of an upload. Sizes are in bytes; a limit of 0 or less is none. */
interface Expected {
  readonly limit: number;
  readonly announced: number;
  /** The longest wait for the next bytes in milliseconds. */
  readonly idleMs: number;
}

/** The viewer's bytes, counted. A fault in them, or a cancellation by the viewer, ends the agent's stream with an error. */
class WatchedSource {
  failure: string | null = null;
  private readonly ended = new AbortController();

  constructor(
    private readonly bytes: AsyncIterable<Uint8Array>,
    private readonly expected: Expected,
  ) {}

  /** Fires when the upload has failed on this side. */
  get failed(): AbortSignal {
    return this.ended.signal;
  }

  /** Ends the upload with the reason, unless it has failed before. */
  fail(reason: string): void {
    this.failure ??= reason;
    this.ended.abort();
  }

  async *read(): AsyncIterable<Uint8Array> {
    const { limit, announced } = this.expected;
    const iterator = this.bytes[Symbol.asyncIterator]();
    let total = 0;
    try {
      for (let next = await this.next(iterator); next.done !== true; next = await this.next(iterator)) {
        total += next.value.length;
        if (limit > 0 && total > limit) throw new HubError(tooLarge(limit));
        yield next.value;
      }
      if (total < announced) throw new HubError(`The upload ended after ${total} of ${announced} bytes.`);
    } catch (error) {
      this.fail(error instanceof HubError && !(error instanceof ClientStreamError) ? error.message : CANCELED);
      throw this.failure === CANCELED ? new HubError(CANCELED_FOR_AGENT) : new HubError(this.failure ?? CANCELED);
    } finally {
      // Not awaited: a stream that stalls would hold up the end.
      iterator.return?.().catch(() => undefined);
    }
  }

  /** The next bytes. Throws when the viewer sends none for too long, or when the upload has failed. */
  private next(iterator: AsyncIterator<Uint8Array, unknown>): Promise<IteratorResult<Uint8Array, unknown>> {
    const { idleMs } = this.expected;
    return new Promise((resolve, reject) => {
      const giveUp = (): void => reject(new HubError(this.failure ?? `The upload stalled: nothing arrived for ${idleMs / 1000} seconds.`));
      if (this.failed.aborted) return giveUp();
      const timer = setTimeout(giveUp, idleMs);
      this.failed.addEventListener('abort', giveUp, { once: true });
      const settle = (): void => {
        clearTimeout(timer);
        this.failed.removeEventListener('abort', giveUp);
      };
      iterator.next().then(resolve, reject).finally(settle);
    });
  }
}

function tooLarge(limit: number): string {
  return `The file is larger than the limit of ${limit} bytes.`;
}
