import { Body, Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';

import { Context, type TenantContext } from '../authentication/request-context.js';
import { on, RequireAccess, TenantInQuery } from '../authorization/access.js';
import { Permission } from '../authorization/permission.js';
import { GuidParam } from '../http/binding/route-parameters.js';
import { LocatedAt } from '../http/created-location.js';
import { streamJson } from '../http/json-stream.js';
import { Answers } from '../openapi/operation.js';
import {
  AddDeviceGroupMembersRequestDto,
  CreateDeviceGroupRequestDto,
  DeviceGroupDetailDto,
  DeviceGroupsResponseDto,
  RemoveDeviceGroupMembersRequestDto,
  UpdateDeviceGroupRequestDto,
} from './device-group.dto.js';
import { DeviceGroupsService } from './device-groups.service.js';

@ApiTags('DeviceGroups')
@TenantInQuery()
@Controller('api/v1/device-groups')
export class DeviceGroupsController {
  constructor(private readonly groups: DeviceGroupsService) {}

  @Post()
  @RequireAccess(Permission.TenantDeviceGroupsWrite)
  @LocatedAt('/api/v1/device-groups/{id}?tenantId={tenantId}')
  @Answers(201, '', DeviceGroupDetailDto, { 404: '', 409: '' })
  create(@Context() context: TenantContext, @Body() body: CreateDeviceGroupRequestDto): Promise<DeviceGroupDetailDto> {
    return this.groups.create(context, body);
  }

  @Get()
  @RequireAccess(Permission.TenantDeviceGroupsRead)
  @Answers(200, '', DeviceGroupsResponseDto)
  list(@Context() context: TenantContext, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: this.groups.list(context) });
  }

  @Get(':deviceGroupId')
  @RequireAccess(Permission.TenantDeviceGroupsRead)
  @Answers(200, '', DeviceGroupDetailDto, { 404: '' })
  async get(
    @Context() context: TenantContext,
    @GuidParam('deviceGroupId', '') deviceGroupId: string,
    @Res() response: Response,
  ): Promise<void> {
    return streamJson(response, await this.groups.get(context, deviceGroupId));
  }

  @Put(':deviceGroupId')
  @RequireAccess(Permission.TenantDeviceGroupsWrite)
  @Answers(200, '', DeviceGroupDetailDto, { 404: '', 409: '' })
  async update(
    @Context() context: TenantContext,
    @GuidParam('deviceGroupId', '') deviceGroupId: string,
    @Body() body: UpdateDeviceGroupRequestDto,
    @Res() response: Response,
  ): Promise<void> {
    return streamJson(response, await this.groups.update(context, deviceGroupId, body));
  }

  @Delete(':deviceGroupId')
  @HttpCode(204)
  @RequireAccess(Permission.TenantDeviceGroupsWrite)
  @Answers(204, '', null, { 404: '' })
  remove(@Context() context: TenantContext, @GuidParam('deviceGroupId', '') deviceGroupId: string): Promise<void> {
    return this.groups.remove(context, deviceGroupId);
  }

  @Post(':deviceGroupId/members')
  @HttpCode(204)
  @RequireAccess(Permission.DeviceGroupAssignDevices, on.deviceGroup('deviceGroupId'))
  @Answers(204, '', null, { 404: '' })
  addMembers(
    @Context() context: TenantContext,
    @GuidParam('deviceGroupId', '') deviceGroupId: string,
    @Body() body: AddDeviceGroupMembersRequestDto,
  ): Promise<void> {
    return this.groups.addMembers(context, deviceGroupId, body.deviceIds);
  }

  @Delete(':deviceGroupId/members')
  @HttpCode(204)
  @RequireAccess(Permission.DeviceGroupAssignDevices, on.deviceGroup('deviceGroupId'))
  @Answers(204, '', null, { 404: '' })
  removeMembers(
    @Context() context: TenantContext,
    @GuidParam('deviceGroupId', '') deviceGroupId: string,
    @Body() body: RemoveDeviceGroupMembersRequestDto,
  ): Promise<void> {
    return this.groups.removeMembers(context, deviceGroupId, body.deviceIds);
  }
}
