import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { on, RequireAccess, TenantOfCaller } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { AtDeviceNode, AtReachableDeviceNode } from '../device-link/at-device-node.js';
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
  @AtReachableDeviceNode()
  @RequireAccess(Permission.DeviceFileSystemRead, on.device('deviceId'))
  @Describe('Get the file features of a device', 'Features that not every agent has. A device that is offline has none.')
  @Answers(200, 'The features.', DeviceFileFeaturesDto, { 404: 'There is no such device.' })
  features(@GuidParam('deviceId', DEVICE_ID) deviceId: string): DeviceFileFeaturesDto {
    return { canRename: this.files.canRename(deviceId) };
  }

  @Post('rename')
  @HttpCode(204)
  @AtDeviceNode()
  @RequireAccess(Permission.DeviceFileSystemWrite, on.device('deviceId'))
  @Describe(
    'Rename a file or directory',
    'The file stays in its directory, and keeps its contents, owner and rights. It never replaces another one: a name that is in use is refused.',
  )
  @Answers(204, 'The file or directory has its new name.', null, {
    ...DEVICE_ERRORS,
    409: 'The device is offline, or its agent cannot rename files.',
  })
  rename(
    @Context() context: TenantContext,
    @GuidParam('deviceId', DEVICE_ID) deviceId: string,
    @Body() { filePath, newName }: RenameDevicePathRequestDto,
  ): Promise<void> {
    return this.files.rename(context, deviceId, filePath, newName);
  }
}
