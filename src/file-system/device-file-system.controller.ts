import { Body, Controller, Delete, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';

import { on, RequireAccess, TenantInQuery } from '../authorization/access.js';
import { Permission } from '../authorization/permission.js';
import { GuidParam } from '../http/binding/route-parameters.js';
import { DeviceTimes } from '../device-link/device-times.js';
import { Answers, bytes, plainText } from '../openapi/operation.js';
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

const DEVICE_ERRORS = {
  404: 'The tenant has no such device, or the device has no such path.',
  409: 'The device is offline.',
  502: 'The device refused, or its connection ended; `detail` has the reason.',
  504: 'The device did not answer in time.',
};
const OCTETS = bytes('application/octet-stream');
const PLAIN_TEXT = plainText('');

/** The file systems of devices (specification, part Device file system). */
@ApiTags('DeviceFileSystem')
@Controller('api/v1/device-file-system')
@TenantInQuery()
export class DeviceFileSystemController {
  constructor(
    private readonly files: DeviceFilesService,
    private readonly listings: DirectoryListingsService,
    private readonly downloads: DownloadsService,
    private readonly uploads: UploadsService,
    private readonly times: DeviceTimes,
  ) {}

  @Post('contents')
  @HttpCode(200)
  @RequireAccess(Permission.DeviceFileSystemRead, on.deviceInBody('deviceId'))
  @Answers(200, '', DeviceDirectoryContentsResponseDto, DEVICE_ERRORS)
  contents(@Body() { deviceId, directoryPath }: DeviceDirectoryContentsRequestDto, @Res() response: Response): Promise<void> {
    return this.stream(response, (body) => this.listings.contents(deviceId, directoryPath, body));
  }

  @Post('subdirectories')
  @HttpCode(200)
  @RequireAccess(Permission.DeviceFileSystemRead, on.deviceInBody('deviceId'))
  @Answers(200, '', DeviceSubdirectoriesResponseDto, DEVICE_ERRORS)
  subdirectories(@Body() { deviceId, directoryPath }: DeviceSubdirectoriesRequestDto, @Res() response: Response): Promise<void> {
    return this.stream(response, (body) => this.listings.subdirectories(deviceId, directoryPath, body));
  }

  @Post('root-drives')
  @HttpCode(200)
  @RequireAccess(Permission.DeviceFileSystemRead, on.deviceInBody('deviceId'))
  @Answers(200, '', DeviceRootDrivesResponseDto, DEVICE_ERRORS)
  async rootDrives(@Body() { deviceId }: DeviceRootDrivesRequestDto): Promise<DeviceRootDrivesResponseDto> {
    return { drives: await this.files.rootDrives(deviceId) };
  }

  @Post('path-segments')
  @HttpCode(200)
  @RequireAccess(Permission.DeviceFileSystemRead, on.deviceInBody('deviceId'))
  @Answers(200, '', DevicePathSegmentsResponseDto, DEVICE_ERRORS)
  pathSegments(@Body() { deviceId, targetPath }: DevicePathSegmentsRequestDto): Promise<DevicePathSegmentsResponseDto> {
    return this.files.pathSegments(deviceId, targetPath);
  }

  @Post('validate-path/:deviceId')
  @HttpCode(200)
  @RequireAccess(Permission.DeviceFileSystemRead, on.device('deviceId'))
  @Answers(200, '', DeviceFilePathValidationResponseDto, DEVICE_ERRORS)
  validatePath(
    @GuidParam('deviceId', '') deviceId: string,
    @Body() { directoryPath, fileName }: ValidateDeviceFilePathRequestDto,
  ): Promise<DeviceFilePathValidationResponseDto> {
    return this.files.validatePath(deviceId, directoryPath, fileName);
  }

  @Post('create-directory/:deviceId')
  @HttpCode(204)
  @RequireAccess(Permission.DeviceFileSystemWrite, on.device('deviceId'))
  @Answers(204, '', null, DEVICE_ERRORS)
  createDirectory(
    @GuidParam('deviceId', '') deviceId: string,
    @Body() { parentPath, directoryName }: CreateDeviceDirectoryRequestDto,
  ): Promise<void> {
    return this.files.createDirectory(deviceId, parentPath, directoryName);
  }

  @Delete('delete-path/:deviceId')
  @RequireAccess(Permission.DeviceFileSystemDelete, on.device('deviceId'))
  @Answers(200, '', DevicePathDeletionResponseDto, DEVICE_ERRORS)
  async deletePath(
    @GuidParam('deviceId', '') deviceId: string,
    @Body() { filePath }: DeleteDevicePathRequestDto,
  ): Promise<DevicePathDeletionResponseDto> {
    await this.files.deletePath(deviceId, filePath);
    return { message: 'The path was deleted.', filePath };
  }

  @Post('upload/:deviceId')
  @HttpCode(200)
  @ApiConsumes('multipart/form-data')
  @ApiBody({ schema: FORM_SCHEMA })
  @RequireAccess(Permission.DeviceFileSystemTransferUpload, on.device('deviceId'))
  @Answers(200, '', DeviceFileUploadResponseDto, { ...DEVICE_ERRORS, 408: '', 413: '', 415: '', 503: '' })
  async upload(@GuidParam('deviceId', '') deviceId: string, @Req() request: Request): Promise<DeviceFileUploadResponseDto> {
    return { message: 'The file was uploaded.', fileName: await this.uploads.receive(deviceId, request) };
  }

  @Get('download/:deviceId')
  @RequireAccess(Permission.DeviceFileSystemTransferDownload, on.device('deviceId'))
  @Answers(200, '', OCTETS, { ...DEVICE_ERRORS, 413: '' })
  download(
    @GuidParam('deviceId', '') deviceId: string,
    @Query() { filePath }: DeviceFileQueryDto,
    @Res() response: Response,
  ): Promise<void> {
    return this.stream(response, (body) => this.downloads.file(deviceId, filePath, body));
  }

  @Post('download-archive/:deviceId')
  @HttpCode(200)
  @RequireAccess(Permission.DeviceFileSystemTransferDownload, on.device('deviceId'))
  @Answers(200, '', OCTETS, { ...DEVICE_ERRORS, 413: '' })
  downloadArchive(
    @GuidParam('deviceId', '') deviceId: string,
    @Body() { archiveFileName, targetPaths }: DownloadDeviceArchiveRequestDto,
    @Res() response: Response,
  ): Promise<void> {
    return this.stream(response, (body) => this.downloads.archive(deviceId, archiveFileName, targetPaths, body));
  }

  @Get('logs/:deviceId')
  @RequireAccess(Permission.DeviceLogsRead, on.device('deviceId'))
  @Answers(200, '', DeviceLogFileListResponseDto, DEVICE_ERRORS)
  logs(@GuidParam('deviceId', '') deviceId: string): Promise<DeviceLogFileListResponseDto> {
    return this.files.logFiles(deviceId);
  }

  @Get('logs/:deviceId/contents')
  @RequireAccess(Permission.DeviceLogsRead, on.device('deviceId'))
  @Answers(200, '', PLAIN_TEXT, DEVICE_ERRORS)
  logContents(
    @GuidParam('deviceId', '') deviceId: string,
    @Query() { filePath }: DeviceFileQueryDto,
    @Res() response: Response,
  ): Promise<void> {
    return this.stream(response, (body) => this.downloads.logFile(deviceId, filePath, body));
  }

  private stream(response: Response, work: (body: ResponseBody) => Promise<void>): Promise<void> {
    return ResponseBody.write(response, this.times.idleMs, work);
  }
}
