import { Controller, Get } from '@nestjs/common';

import { RequireAuthenticated } from '../../access/authorization/guard/access.js';
import { Settings } from '../../platform/config/settings.js';
import { CachedConstant } from '../../platform/http/response-cache.js';
import { Answers, Describe, Group } from '../openapi/operation.js';
import { DecommissionServerResponseDto, FileUploadMaxSizeResponseDto } from './user-server-settings.dto.js';

const CACHE_SECONDS = 30;

/** Server settings for authenticated clients. */
@Group('UserServerSettings')
@Controller('api/v1/user-server-settings')
export class UserServerSettingsController {
  constructor(private readonly settings: Settings) {}

  @Get('file-upload-max-size')
  @RequireAuthenticated()
  @CachedConstant(CACHE_SECONDS, { private: true })
  @Describe('Get the largest upload', 'Check it before an upload: larger files are refused with 413.')
  @Answers(200, 'The limit.', FileUploadMaxSizeResponseDto)
  fileUploadMaxSize(): FileUploadMaxSizeResponseDto {
    return { maxFileSize: this.settings.appOptions.maxFileTransferSize };
  }

  @Get('decommission-status')
  @RequireAuthenticated()
  @CachedConstant(CACHE_SECONDS, { private: true })
  @Describe(
    'Get the decommission status',
    'While the server is being decommissioned, agents uninstall themselves at their next contact, and their devices are deleted.',
  )
  @Answers(200, 'The status.', DecommissionServerResponseDto)
  decommissionStatus(): DecommissionServerResponseDto {
    return { isEnabled: this.settings.serverLifecycle.decommissionServer };
  }
}
