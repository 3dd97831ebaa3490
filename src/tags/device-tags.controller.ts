import { Body, Controller, Delete, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Context, type TenantContext } from '../authentication/request-context.js';
import { on, RequireAccess, TenantInQuery } from '../authorization/access.js';
import { Permission } from '../authorization/permission.js';
import { GuidParam } from '../http/binding/route-parameters.js';
import { Answers } from '../openapi/answers.js';
import { DeviceTagsService } from './device-tags.service.js';
import { DeviceTagAddRequestDto } from './tag.dto.js';

@ApiTags('DeviceTags')
@TenantInQuery()
@Controller('api/v1/device-tags')
export class DeviceTagsController {
  constructor(private readonly deviceTags: DeviceTagsService) {}

  @Post()
  @HttpCode(204)
  @RequireAccess(Permission.DeviceTagsWrite, on.deviceInBody('deviceId'))
  @Answers(204, null, [404])
  add(@Context() context: TenantContext, @Body() { deviceId, tagId }: DeviceTagAddRequestDto): Promise<void> {
    return this.deviceTags.add(context, deviceId, tagId);
  }

  @Delete(':deviceId/:tagId')
  @HttpCode(204)
  @RequireAccess(Permission.DeviceTagsWrite, on.device('deviceId'))
  @Answers(204, null, [404])
  remove(@Context() context: TenantContext, @GuidParam('deviceId') deviceId: string, @GuidParam('tagId') tagId: string): Promise<void> {
    return this.deviceTags.remove(context, deviceId, tagId);
  }
}
