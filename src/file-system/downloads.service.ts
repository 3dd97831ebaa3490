import { Injectable } from '@nestjs/common';

import { agentClient, type FileDownloadResponseHubDto, type HubResult, type HubResultOf } from '#libs/contracts';

import { DomainError, ErrorCode, notFound } from '../common/errors.js';
import { Settings } from '../config/settings.js';
import { deviceUnusable } from '../device-link/device-failures.js';
import { DeviceLink, type StreamInvoke } from '../device-link/device-link.js';
import { DeviceTimes } from '../device-link/device-times.js';
import { readStream } from '../device-link/read-stream.js';
import { contentDisposition } from './content-disposition.js';
import { DeviceFilesService } from './device-files.service.js';
import { exactBytes } from './exact-bytes.js';
import type { ResponseBody } from './response-body.js';

type Announcement = HubResultOf<FileDownloadResponseHubDto>;

/** Passes files from devices to HTTP clients. Back-pressure reaches from the client's socket to the device's. */
@Injectable()
export class DownloadsService {
  constructor(
    private readonly link: DeviceLink,
    private readonly files: DeviceFilesService,
    private readonly times: DeviceTimes,
    private readonly settings: Settings,
  ) {}

  /** Writes a file, or a zip of a directory. */
  file(deviceId: string, filePath: string, body: ResponseBody): Promise<void> {
    return this.download(deviceId, body, (invoke, streamId) => invoke(agentClient.UploadFileToViewer, [{ streamId, filePath }]));
  }

  /** Writes a zip of all paths. */
  archive(deviceId: string, archiveFileName: string, targetPaths: string[], body: ResponseBody): Promise<void> {
    return this.download(deviceId, body, (invoke, streamId) =>
      invoke(agentClient.UploadArchiveToViewer, [{ streamId, archiveFileName, targetPaths }]),
    );
  }

  /**
   * Writes a log file as text. Agents may open any path that they are given. The permission to read logs does not cover
   * other files, so the path must be one that the device lists as a log file.
   */
  async logFile(deviceId: string, filePath: string, body: ResponseBody): Promise<void> {
    const { logFileGroups } = await this.files.logFiles(deviceId);
    const file = logFileGroups.flatMap(({ logFiles }) => logFiles).find(({ fullPath }) => fullPath === filePath);
    if (file === undefined) throw notFound('The log file');
    const head = { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Disposition': contentDisposition('inline', file.fileName) };
    await this.link.openStream<Uint8Array, HubResult, void>(
      deviceId,
      'bytes',
      (invoke, streamId) => invoke(agentClient.StreamFileContents, [{ streamId, filePath }]),
      ({ items }) => body.send(head, readStream(items, this.reading(body))),
      { signal: body.signal },
    );
  }

  private download(
    deviceId: string,
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
        const { value } = await answer;
        if (value === null || value.fileSize < 0) throw deviceUnusable();
        const head = {
          'Content-Type': 'application/octet-stream',
          'Content-Length': value.fileSize,
          'Content-Disposition': contentDisposition('attachment', value.fileDisplayName),
        };
        await body.send(head, exactBytes(readStream(items, this.reading(body)), value.fileSize));
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

  private reading({ signal }: ResponseBody): { readonly idleMs: number; readonly signal: AbortSignal } {
    return { idleMs: this.times.idleMs, signal };
  }
}
