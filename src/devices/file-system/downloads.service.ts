import { Injectable } from '@nestjs/common';

import { agentClient, type FileDownloadResponseHubDto, type HubResult, type HubResultOf } from '#libs/contracts';

import type { TenantContext } from '../../access/authentication/principals/request-context.js';
import { DomainError, ErrorCode, invalidField, notFound } from '../../platform/common/errors/errors.js';
import { hasControlCharacter } from '../../platform/common/identifiers/name-text.js';
import { Settings } from '../../platform/config/settings.js';
import { type ActivityOnDevice, DeviceActivities } from '../device-activity/device-activities.js';
import { DeviceActivityKind } from '../device-activity/device-activity-kinds.js';
import type { RunningActivity } from '../device-activity/running-activity.js';
import { deviceUnusable } from '../device-link/device-failures.js';
import { DeviceLink, type StreamInvoke } from '../device-link/device-link.js';
import { DeviceTimes } from '../device-link/device-times.js';
import { inTime } from '../device-link/in-time.js';
import { readStream, type ReadingLimits } from '../device-link/read-stream.js';
import { contentDisposition } from './content-disposition.js';
import { DeviceFilesService } from './device-files.service.js';
import { DownloadSpool } from './download-spool.js';
import { exactBytes } from './exact-bytes.js';
import type { ResponseBody } from './response-body.js';
import { ownerOf } from './spool-room.js';

type Announcement = HubResultOf<FileDownloadResponseHubDto>;

/** Subject of a download, and its recipient. */
interface Source {
  readonly context: TenantContext;
  readonly deviceId: string;
  /** Its path. */
  readonly subject: string;
}

/** Passes files from devices to HTTP clients. Bytes that a slow client has not read yet wait in the spool, so that the device need not. */
@Injectable()
export class DownloadsService {
  constructor(
    private readonly link: DeviceLink,
    private readonly files: DeviceFilesService,
    private readonly spool: DownloadSpool,
    private readonly activities: DeviceActivities,
    private readonly times: DeviceTimes,
    private readonly settings: Settings,
  ) {}

  /** Writes a file, or a zip of a directory. */
  file(context: TenantContext, deviceId: string, filePath: string, body: ResponseBody): Promise<void> {
    return this.download({ context, deviceId, subject: filePath }, body, (invoke, streamId) =>
      invoke(agentClient.UploadFileToViewer, [{ streamId, filePath }]),
    );
  }

  /** Writes a zip of all paths. 400 for a name that no file can have. */
  async archive(
    context: TenantContext,
    deviceId: string,
    archiveFileName: string,
    targetPaths: string[],
    body: ResponseBody,
  ): Promise<void> {
    const name = zipNameOf('archiveFileName', archiveFileName);
    return this.download({ context, deviceId, subject: targetPaths.join(', ') }, body, (invoke, streamId) =>
      invoke(agentClient.UploadArchiveToViewer, [{ streamId, archiveFileName: name, targetPaths }]),
    );
  }

  /**
   * Writes a log file as text. Agents may open any path that they are given. The permission to read logs does not cover
   * other files, so the path must be one that the device lists as a log file. Reading a file again and again, to follow it, is one record
   * of the audit.
   */
  async logFile(context: TenantContext, deviceId: string, filePath: string, body: ResponseBody): Promise<void> {
    const { logFileGroups } = await this.files.logFiles(deviceId);
    const file = logFileGroups.flatMap(({ logFiles }) => logFiles).find(({ fullPath }) => fullPath === filePath);
    if (file === undefined) throw notFound('The log file');
    const head = { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Disposition': contentDisposition('inline', file.fileName) };
    this.link.requireReachable(deviceId);
    await this.letEnd(deviceId, body, () =>
      this.activities.recordRepeated(
        context,
        { ...downloadOf({ context, deviceId, subject: filePath }), kind: DeviceActivityKind.LogRead },
        (activity) =>
          this.link.openStream<Uint8Array, HubResult, void>(
            deviceId,
            'bytes',
            (invoke, streamId) => invoke(agentClient.StreamFileContents, [{ streamId, filePath }]),
            ({ items }) =>
              body.send(
                head,
                this.ahead(context, body, (reading) => activity.countOut(readStream(items, reading))),
              ),
            { signal: body.signal },
          ),
      ),
    );
  }

  private download(
    source: Source,
    body: ResponseBody,
    request: (invoke: StreamInvoke, streamId: string) => Promise<Announcement>,
  ): Promise<void> {
    // No record begins while the device cannot be reached.
    this.link.requireReachable(source.deviceId);
    return this.letEnd(source.deviceId, body, () =>
      this.activities.record(source.context, downloadOf(source), (activity) => this.openDownload(source, activity, body, request)),
    );
  }

  /** Runs a transfer that a stop lets end, and cuts off when it takes too long. */
  private async letEnd(deviceId: string, body: ResponseBody, work: () => Promise<void>): Promise<void> {
    const transfer = this.link.beginTransfer(deviceId);
    body.endOn(transfer.cut);
    try {
      await work();
    } finally {
      transfer.end();
    }
  }

  private openDownload(
    { context, deviceId }: Source,
    activity: RunningActivity,
    body: ResponseBody,
    request: (invoke: StreamInvoke, streamId: string) => Promise<Announcement>,
  ): Promise<void> {
    return this.link.openStream<Uint8Array, Announcement, void>(
      deviceId,
      'bytes',
      async (invoke, streamId) => {
        const announcement = await request(invoke, streamId);
        // Checked here as well, because the device may need long until it opens the stream.
        this.requireAllowed(announcement.value?.fileSize ?? 0);
        return announcement;
      },
      async ({ items }, answer) => {
        const { value } = await inTime(answer, this.times.preparationMs);
        if (value === null || value.fileSize < 0) throw deviceUnusable();
        const head = {
          'Content-Type': 'application/octet-stream',
          'Content-Length': value.fileSize,
          'Content-Disposition': contentDisposition('attachment', value.fileDisplayName),
        };
        const { fileSize } = value;
        await body.send(
          head,
          this.ahead(context, body, (reading) => activity.countOut(exactBytes(readStream(items, reading), fileSize))),
        );
      },
      { openWithin: this.times.preparationMs, signal: body.signal },
    );
  }

  private requireAllowed(fileSize: number): void {
    const limit = this.settings.appOptions.maxFileTransferSize;
    if (limit > 0 && fileSize > limit) {
      throw new DomainError(ErrorCode.PayloadTooLarge, `The file has ${fileSize} bytes; the limit is ${limit}.`);
    }
  }

  /** The bytes that `read` reads from the device, which does not wait for a slow client. */
  private ahead(
    { principal }: TenantContext,
    { signal }: ResponseBody,
    read: (reading: ReadingLimits) => AsyncIterable<Uint8Array>,
  ): AsyncIterable<Uint8Array> {
    const { idleMs } = this.times;
    return this.spool.ahead(ownerOf(principal), (done) => read({ idleMs, signal: AbortSignal.any([signal, done]) }));
  }
}

/**
 * The name of a zip: the last segment of a path, with `.zip` if it is missing. Agents put the zip in a folder of theirs under that name.
 * 400 at the field for a segment that names no file.
 */
function zipNameOf(field: string, path: string): string {
  const name = path.replace(/^.*[/\\]/s, '').trim();
  if (['', '.', '..'].includes(name) || hasControlCharacter(name)) {
    throw invalidField(field, `${field} must be the name of a file, without control characters.`);
  }
  return name.toLowerCase().endsWith('.zip') ? name : `${name}.zip`;
}

/** The transfer as the audit records it. */
function downloadOf({ context, deviceId, subject }: Source): ActivityOnDevice {
  return { kind: DeviceActivityKind.Download, tenantId: context.tenantId, deviceId, subject };
}
