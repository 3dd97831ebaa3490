import { Injectable } from '@nestjs/common';

import { agentClient, type FileSystemEntryDto, type HubResult } from '#libs/contracts';

import { DomainError, ErrorCode } from '../../platform/common/errors/errors.js';
import { DeviceLink } from '../device-link/device-link.js';
import { DeviceTimes } from '../device-link/device-times.js';
import { inTime } from '../device-link/in-time.js';
import { readStream } from '../device-link/read-stream.js';
import type { ResponseBody } from './response-body.js';

/** Most entries of one listing. A larger directory is refused instead of being shown in part. */
export const MAX_LISTING_ENTRIES = 250_000;

const JSON_HEAD = { 'Content-Type': 'application/json; charset=utf-8' };

/** Lists directories. Entries are passed on while the device still sends, so memory does not grow with their number. */
@Injectable()
export class DirectoryListingsService {
  constructor(
    private readonly link: DeviceLink,
    private readonly times: DeviceTimes,
  ) {}

  /** Writes the entries of a directory, as DeviceDirectoryContentsResponseDto or, as `entries`, DeviceDirectoryEntriesResponseDto. */
  contents(deviceId: string, directoryPath: string, body: ResponseBody, member: 'items' | 'entries' = 'items'): Promise<void> {
    return this.link.openStream<FileSystemEntryDto[], HubResult, void>(
      deviceId,
      'entries',
      (invoke, streamId) => invoke(agentClient.StreamDirectoryContents, [{ streamId, deviceId, directoryPath }]),
      ({ items, directoryExists }, answer) =>
        body.send(JSON_HEAD, this.listing(`{"directoryExists":${directoryExists},"${member}":[`, items, answer, body.signal)),
      { signal: body.signal },
    );
  }

  /** Writes the subdirectories of a directory, as DeviceSubdirectoriesResponseDto. */
  subdirectories(deviceId: string, directoryPath: string, body: ResponseBody): Promise<void> {
    return this.link.openStream<FileSystemEntryDto[], HubResult, void>(
      deviceId,
      'entries',
      (invoke, streamId) => invoke(agentClient.StreamSubdirectories, [{ streamId, deviceId, directoryPath }]),
      ({ items }, answer) => body.send(JSON_HEAD, this.listing('{"subdirectories":[', items, answer, body.signal)),
      { signal: body.signal },
    );
  }

  /** The JSON text of a listing. Its end is written only after the device has confirmed that it sent everything. */
  private async *listing(
    opening: string,
    items: AsyncIterable<FileSystemEntryDto[]>,
    answer: Promise<HubResult>,
    signal: AbortSignal,
  ): AsyncIterable<string> {
    let separator = opening;
    let total = 0;
    for await (const entries of readStream(items, { idleMs: this.times.idleMs, signal })) {
      total += entries.length;
      if (total > MAX_LISTING_ENTRIES) {
        throw new DomainError(ErrorCode.BadGateway, `The directory has more than ${MAX_LISTING_ENTRIES} entries.`);
      }
      if (entries.length === 0) continue;
      yield separator + entries.map((entry) => JSON.stringify(entry)).join(',');
      separator = ',';
    }
    await inTime(answer, this.times.answerMs);
    yield separator === ',' ? ']}' : `${separator}]}`;
  }
}
