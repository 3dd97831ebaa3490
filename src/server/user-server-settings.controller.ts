import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { RequireAuthenticated } from '../authorization/access.js';
import { CachedConstant } from '../http/response-cache.js';
import { Settings } from '../config/settings.js';
import { Answers } from '../openapi/operation.js';
import { DecommissionServerResponseDto, FileUploadMaxSizeResponseDto } from './user-server-settings.dto.js';

const CACHE_SECONDS = 30;

/** What signed-in users may know of the server's configuration. */
@ApiTags('UserServerSettings')
@Controller('api/v1/user-server-settings')
export class UserServerSettingsController {
  constructor(private readonly settings: Settings) {}

  @Get('file-upload-max-size')
  @RequireAuthenticated()
  @CachedConstant(CACHE_SECONDS, { private: true })
  @Answers(200, '', FileUploadMaxSizeResponseDto)
  fileUploadMaxSize(): FileUploadMaxSizeResponseDto {
    return { maxFileSize: this.settings.appOptions.maxFileTransferSize };
  }

  @Get('decommission-status')
  @RequireAuthenticated()
  @CachedConstant(CACHE_SECONDS, { private: true })
  @Answers(200, '', DecommissionServerResponseDto)
  decommissionStatus(): DecommissionServerResponseDto {
    return { isEnabled: this.settings.serverLifecycle.decommissionServer };
  }
}
