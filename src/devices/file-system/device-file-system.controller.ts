import { Body, Controller, Delete, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { on, RequireAccess, TenantInQuery } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { TransferRights } from '../../access/authorization/revocation/transfer-rights.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { Answers, bytes, Describe, Group, plainText, Takes } from '../../system/openapi/operation.js';
import { AtDeviceNode } from '../device-link/at-device-node.js';
import { DeviceTimes } from '../device-link/device-times.js';
import { DeviceFilesService } from './device-files.service.js';
import { DirectoryListingsService } from './directory-listings.service.js';
import { DownloadsService } from './downloads.service.js';
import {
  CreateDeviceDirectoryRequestDto,
  DeleteDevicePathRequestDto,
  DeviceDirectoryContentsRequestDto,
  DeviceDirectoryContentsResponseDto,
  DeviceFilePathValidationResponseDto,
  DeviceFileQueryDto,
  DeviceFileUploadResponseDto,
  DeviceLogFileListResponseDto,
  DevicePathDeletionResponseDto,
  DevicePathSegmentsRequestDto,
  DevicePathSegmentsResponseDto,
  DeviceRootDrivesRequestDto,
  DeviceRootDrivesResponseDto,
  DeviceSubdirectoriesRequestDto,
  DeviceSubdirectoriesResponseDto,
  DownloadDeviceArchiveRequestDto,
  ValidateDeviceFilePathRequestDto,
} from './file-system.dto.js';
import { ResponseBody } from './response-body.js';
import { FORM_SCHEMA } from './upload-form.js';
import { UploadsService } from './uploads.service.js';

export const DEVICE_ERRORS = {
  404: 'The tenant has no such device, or the device has no such path.',
  409: 'The device is offline.',
  502: 'The device refused, or its connection ended; `detail` contains the reason.',
  504: 'The device did not answer in time.',
};
export const DEVICE_ID = 'Id of the device.';
export const FORBIDDEN_SIZE = 'The file is larger than `AppOptions:MaxFileTransferSize`.';
export const FILE_HEADERS = { 'Content-Disposition': 'Name of the file.' };
export const OCTETS = bytes('application/octet-stream');
const PLAIN_TEXT = plainText('2026-03-09 14:30:00 [Information] Connected to https://devices.example.org.');

/** The file systems of devices. */
@Group('DeviceFileSystem')
@Controller('api/v1/device-file-system')
@TenantInQuery()
export class DeviceFileSystemController {
  constructor(
    private readonly files: DeviceFilesService,
    protected readonly listings: DirectoryListingsService,
    private readonly downloads: DownloadsService,
    private readonly uploads: UploadsService,
    private readonly times: DeviceTimes,
    private readonly rights: TransferRights,
  ) {}

  @Post('contents')
  @HttpCode(200)
  @AtDeviceNode()
  @RequireAccess(Permission.DeviceFileSystemRead, on.deviceInBody('deviceId'))
  @Describe(
    'List a directory',
    'The files and directories in a directory of the device. Large listings are streamed while the device sends them.',
  )
  @Answers(200, 'The entries of the directory.', DeviceDirectoryContentsResponseDto, DEVICE_ERRORS)
  contents(@Body() { deviceId, directoryPath }: DeviceDirectoryContentsRequestDto, @Res() response: Response): Promise<void> {
    return this.stream(response, (body) => this.listings.contents(deviceId, directoryPath, body));
  }

  @Post('subdirectories')
  @HttpCode(200)
  @AtDeviceNode()
  @RequireAccess(Permission.DeviceFileSystemRead, on.deviceInBody('deviceId'))
  @Describe('List the subdirectories of a directory', 'Only the directories, for a tree of folders.')
  @Answers(200, 'The subdirectories.', DeviceSubdirectoriesResponseDto, DEVICE_ERRORS)
  subdirectories(@Body() { deviceId, directoryPath }: DeviceSubdirectoriesRequestDto, @Res() response: Response): Promise<void> {
    return this.stream(response, (body) => this.listings.subdirectories(deviceId, directoryPath, body));
  }

  @Post('root-drives')
  @HttpCode(200)
  @RequireAccess(Permission.DeviceFileSystemRead, on.deviceInBody('deviceId'))
  @Describe('List the root drives', 'The start of browsing: the drives on Windows, the root directory on other systems.')
  @Answers(200, 'The drives.', DeviceRootDrivesResponseDto, DEVICE_ERRORS)
  async rootDrives(@Body() { deviceId }: DeviceRootDrivesRequestDto): Promise<DeviceRootDrivesResponseDto> {
    return { drives: await this.files.rootDrives(deviceId) };
  }

  @Post('path-segments')
  @HttpCode(200)
  @RequireAccess(Permission.DeviceFileSystemRead, on.deviceInBody('deviceId'))
  @Describe('Split a path into its segments', 'Splits a path by the rules of the device, and checks that it exists there.')
  @Answers(200, 'The segments.', DevicePathSegmentsResponseDto, DEVICE_ERRORS)
  pathSegments(@Body() { deviceId, targetPath }: DevicePathSegmentsRequestDto): Promise<DevicePathSegmentsResponseDto> {
    return this.files.pathSegments(deviceId, targetPath);
  }

  @Post('validate-path/:deviceId')
  @HttpCode(200)
  @RequireAccess(Permission.DeviceFileSystemRead, on.device('deviceId'))
  @Describe('Check a file name', 'Checks that the directory exists, and that the name is valid and not in use there.')
  @Answers(200, 'The result of the check.', DeviceFilePathValidationResponseDto, DEVICE_ERRORS)
  validatePath(
    @GuidParam('deviceId', DEVICE_ID) deviceId: string,
    @Body() { directoryPath, fileName }: ValidateDeviceFilePathRequestDto,
  ): Promise<DeviceFilePathValidationResponseDto> {
    return this.files.validatePath(deviceId, directoryPath, fileName);
  }

  @Post('create-directory/:deviceId')
  @HttpCode(204)
  @RequireAccess(Permission.DeviceFileSystemWrite, on.device('deviceId'))
  @Describe('Create a directory', 'The parent directory must exist, and the name must not be in use there.')
  @Answers(204, 'The directory was created.', null, DEVICE_ERRORS)
  createDirectory(
    @Context() context: TenantContext,
    @GuidParam('deviceId', DEVICE_ID) deviceId: string,
    @Body() { parentPath, directoryName }: CreateDeviceDirectoryRequestDto,
  ): Promise<void> {
    return this.files.createDirectory(context, deviceId, parentPath, directoryName);
  }

  @Delete('delete-path/:deviceId')
  @RequireAccess(Permission.DeviceFileSystemDelete, on.device('deviceId'))
  @Describe(
    'Delete a file or directory',
    'Deletes a directory with all its contents. Symbolic links are deleted, not followed. This cannot be undone.',
  )
  @Answers(200, 'The path was deleted.', DevicePathDeletionResponseDto, DEVICE_ERRORS)
  async deletePath(
    @Context() context: TenantContext,
    @GuidParam('deviceId', DEVICE_ID) deviceId: string,
    @Body() { filePath }: DeleteDevicePathRequestDto,
  ): Promise<DevicePathDeletionResponseDto> {
    await this.files.deletePath(context, deviceId, filePath);
    return { message: 'The path was deleted.', filePath };
  }

  @Post('upload/:deviceId')
  @HttpCode(200)
  @Takes({ schema: FORM_SCHEMA }, 'multipart/form-data')
  @AtDeviceNode()
  @RequireAccess(Permission.DeviceFileSystemTransferUpload, on.device('deviceId'))
  @Describe(
    'Upload a file',
    'Send one file as `multipart/form-data`. The device writes it next to its target and moves it there when it is complete, so that the target is never a partial file.',
  )
  @Answers(200, 'The device has stored the file.', DeviceFileUploadResponseDto, {
    ...DEVICE_ERRORS,
    408: 'The request sent no bytes for too long.',
    413: FORBIDDEN_SIZE,
    415: 'The body is not `multipart/form-data`.',
    503: 'The server currently has no space for the file in transit.',
  })
  async upload(
    @Context() context: TenantContext,
    @GuidParam('deviceId', DEVICE_ID) deviceId: string,
    @Req() request: Request,
  ): Promise<DeviceFileUploadResponseDto> {
    const fileName = await this.uploads.receive(context, deviceId, request, this.rights.endOf(request));
    return { message: 'The file was uploaded.', fileName };
  }

  @Get('download/:deviceId')
  @AtDeviceNode()
  @RequireAccess(Permission.DeviceFileSystemTransferDownload, on.device('deviceId'))
  @Describe(
    'Download a file',
    'The bytes are streamed from the device. If the device disconnects, the service cuts the connection, so that a partial file never looks complete.',
  )
  @Answers(200, 'The bytes of the file.', OCTETS, { ...DEVICE_ERRORS, 413: FORBIDDEN_SIZE }, FILE_HEADERS)
  download(
    @Context() context: TenantContext,
    @GuidParam('deviceId', DEVICE_ID) deviceId: string,
    @Query() { filePath }: DeviceFileQueryDto,
    @Res() response: Response,
  ): Promise<void> {
    return this.stream(response, (body) => this.downloads.file(context, deviceId, filePath, body));
  }

  @Post('download-archive/:deviceId')
  @HttpCode(200)
  @AtDeviceNode()
  @RequireAccess(Permission.DeviceFileSystemTransferDownload, on.device('deviceId'))
  @Describe('Download several paths as an archive', 'The device packs files and directories into a zip file and streams it.')
  @Answers(200, 'The bytes of the zip file.', OCTETS, { ...DEVICE_ERRORS, 413: FORBIDDEN_SIZE }, FILE_HEADERS)
  downloadArchive(
    @Context() context: TenantContext,
    @GuidParam('deviceId', DEVICE_ID) deviceId: string,
    @Body() { archiveFileName, targetPaths }: DownloadDeviceArchiveRequestDto,
    @Res() response: Response,
  ): Promise<void> {
    return this.stream(response, (body) => this.downloads.archive(context, deviceId, archiveFileName, targetPaths, body));
  }

  @Get('logs/:deviceId')
  @RequireAccess(Permission.DeviceLogsRead, on.device('deviceId'))
  @Describe('List the log files of the agent', 'The logs of the agent on the device, in groups.')
  @Answers(200, 'The log files.', DeviceLogFileListResponseDto, DEVICE_ERRORS)
  logs(@GuidParam('deviceId', DEVICE_ID) deviceId: string): Promise<DeviceLogFileListResponseDto> {
    return this.files.logFiles(deviceId);
  }

  @Get('logs/:deviceId/contents')
  @AtDeviceNode()
  @RequireAccess(Permission.DeviceLogsRead, on.device('deviceId'))
  @Describe('Read a log file of the agent', 'The path must be in the list of log files.')
  @Answers(200, 'The text of the log file.', PLAIN_TEXT, DEVICE_ERRORS)
  logContents(
    @Context() context: TenantContext,
    @GuidParam('deviceId', DEVICE_ID) deviceId: string,
    @Query() { filePath }: DeviceFileQueryDto,
    @Res() response: Response,
  ): Promise<void> {
    return this.stream(response, (body) => this.downloads.logFile(context, deviceId, filePath, body));
  }

  protected stream(response: Response, work: (body: ResponseBody) => Promise<void>): Promise<void> {
    return ResponseBody.write(response, { idleMs: this.times.idleMs, ended: this.rights.endOf(response.req) }, work);
  }
}
