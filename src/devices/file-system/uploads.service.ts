import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { agentClient, type FileUploadHubDto } from '#libs/contracts';

import type { TenantContext } from '../../access/authentication/principals/request-context.js';
import { invalidField } from '../../platform/common/errors/errors.js';
import { Settings } from '../../platform/config/settings.js';
import { beginTransfer } from '../../platform/http/connections/fair-shares.js';
import { DeviceActivities } from '../device-activity/device-activities.js';
import { DeviceActivityKind } from '../device-activity/device-activity-kinds.js';
import { requireInTime } from '../device-link/call-age.js';
import { deviceRefused, deviceUnusable } from '../device-link/device-failures.js';
import { DeviceLink } from '../device-link/device-link.js';
import { DeviceTimes } from '../device-link/device-times.js';
import { Standstill } from '../device-link/standstill.js';
import { discardRest } from './discard-rest.js';
import { ownerOf, type SpoolOwner } from './spool-room.js';
import { UploadForm } from './upload-form.js';
import { fileTooLarge, UploadSource, withinSize } from './upload-source.js';
import { UploadSpool } from './upload-spool.js';

/** Most bytes of a form besides its file. When a form exceeds the file limit by more than this, its file must be too large. */
const MAX_FORM_OVERHEAD = 256 * 1024;

type Target = Pick<FileUploadHubDto, 'targetDirectoryPath' | 'fileName' | 'overwrite'>;

/** An upload whose target is known. */
interface OpenedUpload {
  readonly deviceId: string;
  readonly form: UploadForm;
  /** The earliest time at which all that the device is asked for can have arrived, by the monotonic clock in milliseconds. */
  readonly readAt: number;
}

/** Passes files from HTTP forms to devices. */
@Injectable()
export class UploadsService {
  constructor(
    private readonly link: DeviceLink,
    private readonly spool: UploadSpool,
    private readonly activities: DeviceActivities,
    private readonly times: DeviceTimes,
    private readonly settings: Settings,
    private readonly standstill: Standstill,
  ) {}

  /**
   * Receives a form with one file, writes the file on the device and returns the name of the file. If the target comes
   * before the file, nothing is stored on the server. Otherwise the file waits in the spool until the form names the
   * target. When `revoked` fires, or the service stops and the upload takes too long, nothing more is received or sent, and the reason is
   * the answer.
   */
  async receive(context: TenantContext, deviceId: string, request: Request, revoked: AbortSignal): Promise<string> {
    requireInTime(context.readAt);
    await beginTransfer(request);
    const transfer = this.link.beginTransfer(deviceId);
    try {
      const ended = AbortSignal.any([revoked, transfer.cut]);
      this.link.requireReachable(deviceId);
      if (this.limit > 0 && Number(request.headers['content-length'] ?? 0) > this.limit + MAX_FORM_OVERHEAD) throw fileTooLarge(this.limit);
      const form = await UploadForm.open(request, this.times.idleMs, ended);
      const readAt = this.standstill.arrivedSince();
      try {
        const what = { kind: DeviceActivityKind.Upload, tenantId: context.tenantId, deviceId, subject: subjectOf(form) };
        await this.activities.record(context, what, (activity) =>
          this.pass(ownerOf(context.principal), { deviceId, form, readAt }, activity.countIn(form.bytes()), ended),
        );
        return form.fileName;
      } finally {
        form.close();
      }
    } finally {
      transfer.end();
      discardRest(request);
    }
  }

  private pass(
    owner: SpoolOwner,
    { deviceId, form, readAt }: OpenedUpload,
    bytes: AsyncIterable<Uint8Array>,
    ended: AbortSignal,
  ): Promise<void> {
    const { fields, fileSizeAtMost } = form;
    if (fields.has('targetsavedirectory') && fileSizeAtMost !== null) {
      return this.send({ deviceId, form, readAt }, fileSizeAtMost, bytes, ended);
    }
    // A file that could never wait is too large. One that only has no room yet may come again.
    const limit = this.limit > 0 ? Math.min(this.limit, this.spool.largestFile) : this.spool.largestFile;
    return this.spool.hold(owner, withinSize(bytes, limit), (file) =>
      this.send({ deviceId, form, readAt: this.standstill.arrivedSince() }, file.size, file.read(), ended),
    );
  }

  private async send(
    { deviceId, form, readAt }: OpenedUpload,
    fileSize: number,
    bytes: AsyncIterable<Uint8Array>,
    ended: AbortSignal,
  ): Promise<void> {
    const target = targetOf(form);
    const source = new UploadSource(bytes, { maximumSize: this.limit, idleMs: this.times.idleMs });
    const result = await this.link.sendStream(
      deviceId,
      () => source.read(),
      (invoke, streamId) => invoke(agentClient.DownloadFileFromViewer, [{ ...target, streamId, fileSize }]),
      { signal: AbortSignal.any([source.signal, ended]), madeAt: readAt },
    );
    ended.throwIfAborted();
    source.signal.throwIfAborted();
    if (!result.isSuccess) throw deviceRefused(result.reason ?? 'The device refused the file without a reason.');
    if (!source.isWhole) throw deviceUnusable();
  }

  private get limit(): number {
    return this.settings.appOptions.maxFileTransferSize;
  }
}

/** The known part of the target when the file begins: its folder, if that came first, and its name. */
function subjectOf({ fields, fileName }: UploadForm): string {
  return [fields.get('targetsavedirectory') ?? [], fileName].flat().join('/');
}

/** The target that the form names. Only fields received so far count. */
function targetOf({ fields, fileName }: UploadForm): Target {
  const targetDirectoryPath = fields.get('targetsavedirectory') ?? '';
  if (targetDirectoryPath.trim() === '') throw invalidField('targetSaveDirectory', 'targetSaveDirectory is required.');
  if (targetDirectoryPath.includes('\0')) throw invalidField('targetSaveDirectory', 'targetSaveDirectory must not contain NUL characters.');
  const overwrite = (fields.get('overwrite') ?? '').trim().toLowerCase();
  if (!['', 'true', 'false'].includes(overwrite)) throw invalidField('overwrite', 'overwrite must be true or false.');
  return { targetDirectoryPath, fileName, overwrite: overwrite === 'true' };
}
