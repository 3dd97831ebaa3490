import { Body, Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { on, RequireAccess, TenantInQuery } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import type { ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { LocatedAt } from '../../platform/http/addresses/created-location.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { IfMatch, Tagged } from '../../platform/http/bodies/entity-tags.js';
import { streamJson } from '../../platform/http/bodies/json-stream.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import {
  AddDeviceGroupMembersRequestDto,
  CreateDeviceGroupRequestDto,
  DeviceGroupDetailDto,
  DeviceGroupsResponseDto,
  RemoveDeviceGroupMembersRequestDto,
  UpdateDeviceGroupRequestDto,
} from './device-group.dto.js';
import { deviceGroupState, DeviceGroupsService } from './device-groups.service.js';

const DEVICE_GROUP_ID = 'Id of the device group.';
const UNKNOWN = 'The tenant has no such device group.';
const NAME_TAKEN = 'The tenant already has a device group with this name.';

@Group('DeviceGroups')
@TenantInQuery()
@Controller('api/v1/device-groups')
export class DeviceGroupsController {
  constructor(private readonly groups: DeviceGroupsService) {}

  @Post()
  @Tagged(deviceGroupState)
  @RequireAccess(Permission.TenantDeviceGroupsWrite)
  @LocatedAt('/api/v1/device-groups/{id}?tenantId={tenantId}')
  @Describe(
    'Create a device group',
    'A new group has no members. To grant permissions on its devices, assign the permissions at the scope of the group.',
  )
  @Answers(201, 'The new group.', DeviceGroupDetailDto, { 409: NAME_TAKEN })
  create(@Context() context: TenantContext, @Body() body: CreateDeviceGroupRequestDto): Promise<DeviceGroupDetailDto> {
    return this.groups.create(context, body);
  }

  @Get()
  @RequireAccess(Permission.TenantDeviceGroupsRead)
  @Describe('List the device groups', 'All groups of the tenant, sorted by name, without their members.')
  @Answers(200, 'The groups.', DeviceGroupsResponseDto)
  list(@Context() context: TenantContext, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: this.groups.list(context) });
  }

  @Get(':deviceGroupId')
  @Tagged(deviceGroupState)
  @RequireAccess(Permission.TenantDeviceGroupsRead)
  @Describe('Get a device group', 'The group with all its members.')
  @Answers(200, 'The group with its members.', DeviceGroupDetailDto, { 404: UNKNOWN })
  async get(
    @Context() context: TenantContext,
    @GuidParam('deviceGroupId', DEVICE_GROUP_ID) deviceGroupId: string,
    @Res() response: Response,
  ): Promise<void> {
    return streamJson(response, await this.groups.get(context, deviceGroupId));
  }

  @Put(':deviceGroupId')
  @Tagged(deviceGroupState)
  @RequireAccess(Permission.TenantDeviceGroupsWrite)
  @Describe('Change a device group', 'Changes the name, and the description if the request contains one.')
  @Answers(200, 'The changed group.', DeviceGroupDetailDto, { 404: UNKNOWN, 409: NAME_TAKEN })
  async update(
    @Context() context: TenantContext,
    @GuidParam('deviceGroupId', DEVICE_GROUP_ID) deviceGroupId: string,
    @Body() body: UpdateDeviceGroupRequestDto,
    @IfMatch() expected: ExpectedTags | undefined,
    @Res() response: Response,
  ): Promise<void> {
    return streamJson(response, await this.groups.update(context, deviceGroupId, body, expected));
  }

  @Delete(':deviceGroupId')
  @HttpCode(204)
  @RequireAccess(Permission.TenantDeviceGroupsWrite)
  @Describe(
    'Delete a device group',
    'The devices stay. Permission assignments at the scope of the group are deleted with it; if one of them is a Deny, the caller needs `tenant.permissions.deny`.',
  )
  @Answers(204, 'The group is deleted.', null, { 404: UNKNOWN })
  remove(
    @Context() context: TenantContext,
    @GuidParam('deviceGroupId', DEVICE_GROUP_ID) deviceGroupId: string,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<void> {
    return this.groups.remove(context, deviceGroupId, expected);
  }

  @Post(':deviceGroupId/members')
  @HttpCode(204)
  @RequireAccess(Permission.DeviceGroupAssignDevices, on.deviceGroup('deviceGroupId'))
  @Describe(
    'Add devices to a group',
    'The caller must be allowed to read each of the devices. Devices that are already members are ignored.',
  )
  @Answers(204, 'The devices are members.', null, { 404: 'The tenant has no such group, or does not have one of the devices.' })
  addMembers(
    @Context() context: TenantContext,
    @GuidParam('deviceGroupId', DEVICE_GROUP_ID) deviceGroupId: string,
    @Body() body: AddDeviceGroupMembersRequestDto,
  ): Promise<void> {
    return this.groups.addMembers(context, deviceGroupId, body.deviceIds);
  }

  @Delete(':deviceGroupId/members')
  @HttpCode(204)
  @RequireAccess(Permission.DeviceGroupAssignDevices, on.deviceGroup('deviceGroupId'))
  @Describe(
    'Remove devices from a group',
    'Devices that are not members are ignored. If the caller itself has a Deny at the group, it needs `tenant.permissions.deny`.',
  )
  @Answers(204, 'The devices are no longer members.', null, { 404: UNKNOWN })
  removeMembers(
    @Context() context: TenantContext,
    @GuidParam('deviceGroupId', DEVICE_GROUP_ID) deviceGroupId: string,
    @Body() body: RemoveDeviceGroupMembersRequestDto,
  ): Promise<void> {
    return this.groups.removeMembers(context, deviceGroupId, body.deviceIds);
  }
}
