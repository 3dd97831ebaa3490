import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Context, type RequestContext } from '../../access/authentication/principals/request-context.js';
import { on, RequireAccess } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { invalidField } from '../../platform/common/errors/errors.js';
import type { ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { IfMatch, Tagged } from '../../platform/http/bodies/entity-tags.js';
import { streamJson } from '../../platform/http/bodies/json-stream.js';
import { CallerSignal } from '../../platform/http/connections/caller-signal.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import {
  DeleteDevicesRequestDto,
  DeleteManyDevicesResponseDto,
  DeviceResponseDto,
  DeviceSearchRequestDto,
  DeviceSearchResponseDto,
  DeviceSummaryDto,
  UpdateDeviceAliasRequestDto,
} from './device.dto.js';
import { deviceState, DevicesService } from './devices.service.js';

const DEVICE_ID = 'Id of the device.';
const UNKNOWN = 'There is no such device for the caller.';

@Group('Devices')
@Controller('api/v1/devices')
export class DevicesController {
  constructor(private readonly devices: DevicesService) {}

  @Get()
  @RequireAccess(Permission.DeviceRead, on.deviceScope)
  @Describe(
    'List the devices',
    'Every device that the caller may read, of every tenant that it can name, oldest first. The answer is streamed: read it as it arrives. For pages, filters and an order of your own, search instead.',
  )
  @Answers(200, 'The devices.', [DeviceResponseDto])
  list(@Context() context: RequestContext, @Res() response: Response): Promise<void> {
    return streamJson(response, this.devices.list(context));
  }

  @Get('summary')
  @RequireAccess(Permission.DeviceRead, on.deviceScope)
  @Describe(
    'List the devices in short',
    'The same devices as the full list, with id, time of the last report and agent version only. The answer is streamed.',
  )
  @Answers(200, 'The devices in short.', [DeviceSummaryDto])
  summary(@Context() context: RequestContext, @Res() response: Response): Promise<void> {
    return streamJson(response, this.devices.summaries(context));
  }

  @Post('search')
  @HttpCode(200)
  @RequireAccess(Permission.DeviceRead, on.deviceScope)
  @Describe(
    'Search devices',
    'Finds devices by text, state, tags, groups, customers and any of their properties, and answers one page in the order asked for. All conditions have to hold. The counts are over all devices that match, not only those of the page.',
  )
  @Answers(200, 'A page of the devices that match.', DeviceSearchResponseDto)
  search(
    @Context() context: RequestContext,
    @Body() body: DeviceSearchRequestDto,
    @CallerSignal() signal: AbortSignal,
  ): Promise<DeviceSearchResponseDto> {
    return this.devices.search(context, body, signal);
  }

  @Post('delete-many')
  @HttpCode(200)
  @RequireAccess(Permission.DeviceDelete, on.deviceScope)
  @Describe(
    'Delete several devices',
    'Deletes each device for which the caller has the permission, and says which ones were deleted. The agent of a deleted device is refused from then on.',
  )
  @Answers(200, 'Which devices were deleted and which were not.', DeleteManyDevicesResponseDto)
  removeMany(@Context() context: RequestContext, @Body() body: DeleteDevicesRequestDto): Promise<DeleteManyDevicesResponseDto> {
    return this.devices.removeMany(context, body.deviceIds);
  }

  @Get(':deviceId')
  @Tagged(deviceState)
  @RequireAccess(Permission.DeviceRead, on.device('deviceId'))
  @Describe('Get a device', 'What the device has last reported about itself, and what is stored about it.')
  @Answers(200, 'The device.', DeviceResponseDto, { 404: UNKNOWN })
  get(@Context() context: RequestContext, @GuidParam('deviceId', DEVICE_ID) deviceId: string): Promise<DeviceResponseDto> {
    return this.devices.get(context, deviceId);
  }

  @Patch(':deviceId/alias')
  @Tagged(deviceState)
  @RequireAccess(Permission.DeviceAliasWrite, on.device('deviceId'))
  @Describe(
    'Set the alias of a device',
    'The alias is shown in place of the name that the device reports. Null or an empty text removes it.',
  )
  @Answers(200, 'The device with its new alias.', DeviceResponseDto, { 404: UNKNOWN })
  setAlias(
    @Context() context: RequestContext,
    @GuidParam('deviceId', DEVICE_ID) deviceId: string,
    @Body() body: UpdateDeviceAliasRequestDto,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<DeviceResponseDto> {
    if (body.deviceId !== deviceId) throw invalidField('deviceId', 'deviceId must be the id in the path.');
    return this.devices.setAlias(context, deviceId, body.alias, expected);
  }

  @Delete(':deviceId')
  @HttpCode(204)
  @RequireAccess(Permission.DeviceDelete, on.device('deviceId'))
  @Describe(
    'Delete a device',
    'Removes the device and what is stored about it. Its agent is refused from then on; a new installation registers it again.',
  )
  @Answers(204, 'The device is gone.', null, { 404: UNKNOWN })
  remove(
    @Context() context: RequestContext,
    @GuidParam('deviceId', DEVICE_ID) deviceId: string,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<void> {
    return this.devices.remove(context, deviceId, expected);
  }
}
