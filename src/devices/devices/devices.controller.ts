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
    'Every device that the caller may read, in every tenant that it can name, oldest first. The answer is streamed: read it as it arrives. For pages, filters and sorting, use the search.',
  )
  @Answers(200, 'The devices.', [DeviceResponseDto])
  list(@Context() context: RequestContext, @Res() response: Response): Promise<void> {
    return streamJson(response, this.devices.list(context));
  }

  @Get('summary')
  @RequireAccess(Permission.DeviceRead, on.deviceScope)
  @Describe(
    'List device summaries',
    'The same devices as in the full list, but only id, time of the last report and agent version. The answer is streamed.',
  )
  @Answers(200, 'The summaries.', [DeviceSummaryDto])
  summary(@Context() context: RequestContext, @Res() response: Response): Promise<void> {
    return streamJson(response, this.devices.summaries(context));
  }

  @Post('search')
  @HttpCode(200)
  @RequireAccess(Permission.DeviceRead, on.deviceScope)
  @Describe(
    'Search devices',
    'Finds devices by text, state, tags, groups, customers and any property, and returns one sorted page. A device must meet all conditions. The counts include all matching devices, not only those of the page.',
  )
  @Answers(200, 'A page of the matching devices.', DeviceSearchResponseDto)
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
    'Deletes each device for which the caller has the permission, and returns the deleted ones. The service then refuses the agents of deleted devices.',
  )
  @Answers(200, 'The devices that were deleted, and those that were not.', DeleteManyDevicesResponseDto)
  removeMany(@Context() context: RequestContext, @Body() body: DeleteDevicesRequestDto): Promise<DeleteManyDevicesResponseDto> {
    return this.devices.removeMany(context, body.deviceIds);
  }

  @Get(':deviceId')
  @Tagged(deviceState)
  @RequireAccess(Permission.DeviceRead, on.device('deviceId'))
  @Describe('Get a device', 'The last report of the device, and its stored data.')
  @Answers(200, 'The device.', DeviceResponseDto, { 404: UNKNOWN })
  get(@Context() context: RequestContext, @GuidParam('deviceId', DEVICE_ID) deviceId: string): Promise<DeviceResponseDto> {
    return this.devices.get(context, deviceId);
  }

  @Patch(':deviceId/alias')
  @Tagged(deviceState)
  @RequireAccess(Permission.DeviceAliasWrite, on.device('deviceId'))
  @Describe('Set the alias of a device', 'The alias replaces the reported name in lists and pages. Null or an empty text removes it.')
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
    'Deletes the device and its stored data. The service then refuses its agent; a new installation registers the device again.',
  )
  @Answers(204, 'The device is deleted.', null, { 404: UNKNOWN })
  remove(
    @Context() context: RequestContext,
    @GuidParam('deviceId', DEVICE_ID) deviceId: string,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<void> {
    return this.devices.remove(context, deviceId, expected);
  }
}
