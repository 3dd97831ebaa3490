import { Body, Controller, Delete, HttpCode, Post } from '@nestjs/common';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { on, RequireAccess, TenantInQuery } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { DeviceTagsService } from './device-tags.service.js';
import { DeviceTagAddRequestDto } from './tag.dto.js';

const UNKNOWN = 'The tenant has no such device or no such tag.';

@Group('DeviceTags')
@TenantInQuery()
@Controller('api/v1/device-tags')
export class DeviceTagsController {
  constructor(private readonly deviceTags: DeviceTagsService) {}

  @Post()
  @HttpCode(204)
  @RequireAccess(Permission.DeviceTagsWrite, on.deviceInBody('deviceId'))
  @Describe('Add a tag to a device', 'A device that already has the tag stays unchanged, with the same answer.')
  @Answers(204, 'The device has the tag.', null, { 404: UNKNOWN })
  add(@Context() context: TenantContext, @Body() { deviceId, tagId }: DeviceTagAddRequestDto): Promise<void> {
    return this.deviceTags.add(context, deviceId, tagId);
  }

  @Delete(':deviceId/:tagId')
  @HttpCode(204)
  @RequireAccess(Permission.DeviceTagsWrite, on.device('deviceId'))
  @Describe('Remove a tag from a device', 'A device without the tag stays unchanged, with the same answer.')
  @Answers(204, 'The device does not have the tag.', null, { 404: UNKNOWN })
  remove(
    @Context() context: TenantContext,
    @GuidParam('deviceId', 'Id of the device.') deviceId: string,
    @GuidParam('tagId', 'Id of the tag.') tagId: string,
  ): Promise<void> {
    return this.deviceTags.remove(context, deviceId, tagId);
  }
}
