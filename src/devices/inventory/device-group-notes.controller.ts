import { Body, Controller, Get, Put } from '@nestjs/common';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { RequireAccess, TenantInQuery } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import type { ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { IfMatch, Tagged } from '../../platform/http/bodies/entity-tags.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { ChangeDeviceGroupNotesRequestDto, DeviceGroupNotesDto } from './device-group-notes.dto.js';
import { deviceGroupNotesState, DeviceGroupNotesService } from './device-group-notes.service.js';

const GROUP_ID = 'Id of the device group.';
const UNKNOWN = 'The tenant has no such device group.';

@Group('DeviceGroupNotes')
@TenantInQuery()
@Controller('api/inventory/device-groups')
export class DeviceGroupNotesController {
  constructor(private readonly notes: DeviceGroupNotesService) {}

  @Get(':deviceGroupId/notes')
  @Tagged(deviceGroupNotesState)
  @RequireAccess(Permission.TenantDeviceGroupsRead)
  @Describe('Read the notes of a device group', 'The notes, or an empty text.')
  @Answers(200, 'The notes.', DeviceGroupNotesDto, { 404: UNKNOWN })
  get(@Context() context: TenantContext, @GuidParam('deviceGroupId', GROUP_ID) groupId: string): Promise<DeviceGroupNotesDto> {
    return this.notes.get(context, groupId);
  }

  @Put(':deviceGroupId/notes')
  @Tagged(deviceGroupNotesState)
  @RequireAccess(Permission.TenantDeviceGroupsWrite)
  @Describe('Change the notes of a device group', 'Replaces the text.')
  @Answers(200, 'The changed notes.', DeviceGroupNotesDto, { 404: UNKNOWN })
  change(
    @Context() context: TenantContext,
    @GuidParam('deviceGroupId', GROUP_ID) groupId: string,
    @Body() { notes }: ChangeDeviceGroupNotesRequestDto,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<DeviceGroupNotesDto> {
    return this.notes.change(context, groupId, notes, expected);
  }
}
