import { Module } from '@nestjs/common';

import { DeviceActivityModule } from '../device-activity/device-activity.module.js';
import { DeviceFileSystemController } from './device-file-system.controller.js';
import { DeviceFileSystemInternalController } from './device-file-system.internal.js';
import { DeviceFilesController } from './device-files.controller.js';
import { DeviceFilesService } from './device-files.service.js';
import { DirectoryListingsService } from './directory-listings.service.js';
import { DownloadSpool } from './download-spool.js';
import { DownloadsService } from './downloads.service.js';
import { UploadSpool } from './upload-spool.js';
import { UploadsService } from './uploads.service.js';

@Module({
  imports: [DeviceActivityModule],
  controllers: [DeviceFileSystemController, DeviceFileSystemInternalController, DeviceFilesController],
  providers: [DeviceFilesService, DirectoryListingsService, DownloadSpool, DownloadsService, UploadSpool, UploadsService],
})
export class FileSystemModule {}
