import { Body, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { on, RequireAccess } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { bind } from '../../platform/http/binding/binding.pipe.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { readForm } from '../../platform/http/bodies/form-body.js';
import { AS_TEXT, FailsAs, type FailureForm, type FailureForms } from '../../platform/http/problems/failure-forms.js';
import { internalTwinOf, TwinOf } from '../../system/internal-surface/internal-twin.js';
import { Answers, Describe, Takes } from '../../system/openapi/operation.js';
import { AtDeviceNode } from '../device-link/at-device-node.js';
import {
  DEVICE_ERRORS,
  DEVICE_ID,
  DeviceFileSystemController,
  FILE_HEADERS,
  FORBIDDEN_SIZE,
  OCTETS,
} from './device-file-system.controller.js';
import {
  DeviceDirectoryContentsRequestDto,
  DeviceDirectoryEntriesResponseDto,
  DownloadDeviceArchiveRequestDto,
} from './file-system.dto.js';

const OFFLINE = 409;
const SILENT = 504;
const INTERNAL_ERROR = 500;
const UNAVAILABLE: FailureForm = { status: 502 };
const REFUSED: FailureForm = { status: 409 };

/** Forms of failures of calls that one answer of the device completes. */
const CALL: FailureForms = { [OFFLINE]: AS_TEXT, [SILENT]: UNAVAILABLE, refusedByDevice: REFUSED, [INTERNAL_ERROR]: AS_TEXT };
const CHANGE: FailureForms = { ...CALL, 400: AS_TEXT };
const ANSWERED: FailureForms = { [OFFLINE]: AS_TEXT, [SILENT]: UNAVAILABLE, [INTERNAL_ERROR]: AS_TEXT };
/** Forms of failures of transfers. */
const TRANSFER: FailureForms = {
  400: AS_TEXT,
  [OFFLINE]: AS_TEXT,
  refusedByDevice: { status: 500, body: 'text' },
  [INTERNAL_ERROR]: AS_TEXT,
};

export class DeviceFileSystemInternalController extends internalTwinOf(DeviceFileSystemController, 'api/device-file-system', {
  subdirectories: { failures: CALL },
  rootDrives: { failures: CALL },
  pathSegments: { failures: { ...ANSWERED, 404: { status: 400, body: 'text' } } },
  validatePath: { failures: { ...ANSWERED, 400: AS_TEXT } },
  createDirectory: { failures: CHANGE },
  deletePath: { failures: CHANGE },
  upload: { failures: TRANSFER },
  download: { failures: { ...TRANSFER, refusedByDevice: { status: 500 } } },
  downloadArchive: { failures: TRANSFER },
  logs: { failures: { [OFFLINE]: AS_TEXT, [SILENT]: UNAVAILABLE, refusedByDevice: REFUSED } },
  logContents: { failures: { 400: AS_TEXT, [OFFLINE]: AS_TEXT, [INTERNAL_ERROR]: AS_TEXT } },
}) {
  @TwinOf(DeviceFileSystemController, 'contents', { answer: DeviceDirectoryEntriesResponseDto, failures: CALL })
  @Post('contents')
  entries(@Body() { deviceId, directoryPath }: DeviceDirectoryContentsRequestDto, @Res() response: Response): Promise<void> {
    return this.stream(response, (body) => this.listings.contents(deviceId, directoryPath, body, 'entries'));
  }

  /**
   * Form that a page sends without a script, so that the browser itself stores the file. A page of another origin cannot use a session
   * here: the scheme that reads the cookie checks the origin.
   */
  @Post('download-archive/:deviceId/form')
  @HttpCode(200)
  @Takes({ type: DownloadDeviceArchiveRequestDto }, 'application/x-www-form-urlencoded')
  @AtDeviceNode()
  @RequireAccess(Permission.DeviceFileSystemTransferDownload, on.device('deviceId'))
  @FailsAs(TRANSFER)
  @Describe(
    'Download several paths as an archive, by a form',
    'The same as `download-archive`, for an HTML form: the browser saves the file. Each path is a separate value; blank values are ignored.',
  )
  @Answers(
    200,
    'The bytes of the zip file.',
    OCTETS,
    { ...DEVICE_ERRORS, 413: FORBIDDEN_SIZE, 415: 'The body is not a form.' },
    FILE_HEADERS,
  )
  async downloadArchiveByForm(
    @Context() context: TenantContext,
    @GuidParam('deviceId', DEVICE_ID) deviceId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const form = await readForm(request);
    const archiveFileName = form.get('archivefilename')?.[0];
    const targetPaths = form.get('targetpaths')?.filter((path) => path.trim() !== '');
    await this.downloadArchive(context, deviceId, bind(DownloadDeviceArchiveRequestDto, { archiveFileName, targetPaths }), response);
  }
}
