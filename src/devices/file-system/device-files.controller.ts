import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { on, RequireAccess, TenantOfCaller } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { DEVICE_ERRORS, DEVICE_ID } from './device-file-system.controller.js';
import { DeviceFilesService } from './device-files.service.js';
import { DeviceFileFeaturesDto, RenameDevicePathRequestDto } from './file-system.dto.js';

/** Acts on files that only some agents offer. */
@Group('DeviceFiles')
@Controller('account/device-files/:deviceId')
@TenantOfCaller()
export class DeviceFilesController {
  constructor(private readonly files: DeviceFilesService) {}

  @Get()
  @RequireAccess(Permission.DeviceFileSystemRead, on.device('deviceId'))
  @Describe('Get what the agent can do with files', 'Acts that not every agent offers. Of a device that is offline, none.')
  @Answers(200, 'The acts.', DeviceFileFeaturesDto, { 404: 'There is no such device.' })
  features(@GuidParam('deviceId', DEVICE_ID) deviceId: string): DeviceFileFeaturesDto {
    return { canRename: this.files.canRename(deviceId) };
  }

  @Post('rename')
  @HttpCode(204)
  @RequireAccess(Permission.DeviceFileSystemWrite, on.device('deviceId'))
  @Describe(
    'Rename a file or directory',
    'It stays in its directory, and keeps its contents, owner and rights. No other file or directory is replaced: a name that is taken is refused.',
  )
  @Answers(204, 'It has the new name.', null, { ...DEVICE_ERRORS, 409: 'The device is offline, or its agent cannot rename files.' })
  rename(
    @Context() context: TenantContext,
    @GuidParam('deviceId', DEVICE_ID) deviceId: string,
    @Body() { filePath, newName }: RenameDevicePathRequestDto,
  ): Promise<void> {
    return this.files.rename(context, deviceId, filePath, newName);
  }
}
