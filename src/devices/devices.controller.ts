import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';

import { Context, type RequestContext } from '../authentication/request-context.js';
import { on, RequireAccess } from '../authorization/access.js';
import { Permission } from '../authorization/permission.js';
import { GuidParam } from '../http/binding/route-parameters.js';
import { invalidField } from '../common/errors.js';
import { streamJsonArray } from '../http/json-stream.js';
import { Answers } from '../openapi/operation.js';
import {
  DeleteDevicesRequestDto,
  DeleteManyDevicesResponseDto,
  DeviceResponseDto,
  DeviceSearchRequestDto,
  DeviceSearchResponseDto,
  DeviceSummaryDto,
  UpdateDeviceAliasRequestDto,
} from './device.dto.js';
import { DevicesService } from './devices.service.js';

@ApiTags('Devices')
@Controller('api/v1/devices')
export class DevicesController {
  constructor(private readonly devices: DevicesService) {}

  @Get()
  @RequireAccess(Permission.DeviceRead, on.deviceScope)
  @Answers(200, '', [DeviceResponseDto])
  list(@Context() context: RequestContext, @Res() response: Response): Promise<void> {
    return streamJsonArray(response, this.devices.list(context));
  }

  @Get('summary')
  @RequireAccess(Permission.DeviceRead, on.deviceScope)
  @Answers(200, '', [DeviceSummaryDto])
  summary(@Context() context: RequestContext, @Res() response: Response): Promise<void> {
    return streamJsonArray(response, this.devices.summaries(context));
  }

  @Post('search')
  @HttpCode(200)
  @RequireAccess(Permission.DeviceRead, on.deviceScope)
  @Answers(200, '', DeviceSearchResponseDto, { 400: '' })
  search(@Context() context: RequestContext, @Body() body: DeviceSearchRequestDto): Promise<DeviceSearchResponseDto> {
    return this.devices.search(context, body);
  }

  @Post('delete-many')
  @HttpCode(200)
  @RequireAccess(Permission.DeviceDelete, on.deviceScope)
  @Answers(200, '', DeleteManyDevicesResponseDto, { 400: '' })
  removeMany(@Context() context: RequestContext, @Body() body: DeleteDevicesRequestDto): Promise<DeleteManyDevicesResponseDto> {
    return this.devices.removeMany(context, body.deviceIds);
  }

  @Get(':deviceId')
  @RequireAccess(Permission.DeviceRead, on.device('deviceId'))
  @Answers(200, '', DeviceResponseDto, { 404: '' })
  get(@Context() context: RequestContext, @GuidParam('deviceId', '') deviceId: string): Promise<DeviceResponseDto> {
    return this.devices.get(context, deviceId);
  }

  @Patch(':deviceId/alias')
  @RequireAccess(Permission.DeviceAliasWrite, on.device('deviceId'))
  @Answers(200, '', DeviceResponseDto, { 400: '', 404: '' })
  setAlias(
    @Context() context: RequestContext,
    @GuidParam('deviceId', '') deviceId: string,
    @Body() body: UpdateDeviceAliasRequestDto,
  ): Promise<DeviceResponseDto> {
    if (body.deviceId !== deviceId) throw invalidField('deviceId', 'deviceId must be the id in the path.');
    return this.devices.setAlias(context, deviceId, body.alias);
  }

  @Delete(':deviceId')
  @HttpCode(204)
  @RequireAccess(Permission.DeviceDelete, on.device('deviceId'))
  @Answers(204, '', null, { 404: '' })
  remove(@Context() context: RequestContext, @GuidParam('deviceId', '') deviceId: string): Promise<void> {
    return this.devices.remove(context, deviceId);
  }
}
