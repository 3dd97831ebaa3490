import { Body, Controller, Get, HttpCode, Patch, Post } from '@nestjs/common';

import { Context, type RequestContext } from '../../access/authentication/principals/request-context.js';
import { on, RequireAccess } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import type { ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { IfMatch, Tagged } from '../../platform/http/bodies/entity-tags.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { ChangeDeviceNotesRequestDto, DeviceNotesDto, ListedValuesRequestDto, ListedValuesResponseDto } from './device-field.dto.js';
import { deviceNotesState, DeviceNotesService } from './device-notes.service.js';

const DEVICE_ID = 'Id of the device.';
const UNKNOWN = 'There is no such device.';

@Group('DeviceNotes')
@Controller('api/inventory/devices')
export class DeviceNotesController {
  constructor(private readonly notes: DeviceNotesService) {}

  @Post('values')
  @HttpCode(200)
  @RequireAccess(Permission.DeviceRead, on.deviceScope)
  @Describe('Read the values of listed fields', 'The values of the fields that lists show, for the devices of one part of a list.')
  @Answers(200, 'The devices with their values.', ListedValuesResponseDto)
  async listed(@Context() context: RequestContext, @Body() { deviceIds }: ListedValuesRequestDto): Promise<ListedValuesResponseDto> {
    return { items: await this.notes.listed(context, deviceIds) };
  }

  @Get(':deviceId/notes')
  @Tagged(deviceNotesState)
  @RequireAccess(Permission.DeviceRead, on.device('deviceId'))
  @Describe('Read the notes of a device', "The note of the device, and its values of the tenant's fields. The device search finds both.")
  @Answers(200, 'The note and the values.', DeviceNotesDto, { 404: UNKNOWN })
  get(@Context() context: RequestContext, @GuidParam('deviceId', DEVICE_ID) deviceId: string): Promise<DeviceNotesDto> {
    return this.notes.get(context, deviceId);
  }

  @Patch(':deviceId/notes')
  @Tagged(deviceNotesState)
  @RequireAccess(Permission.DeviceAliasWrite, on.device('deviceId'))
  @Describe('Change the notes of a device', 'Changes the note, values of fields, or both.')
  @Answers(200, 'The changed note and values.', DeviceNotesDto, { 404: UNKNOWN })
  change(
    @Context() context: RequestContext,
    @GuidParam('deviceId', DEVICE_ID) deviceId: string,
    @Body() body: ChangeDeviceNotesRequestDto,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<DeviceNotesDto> {
    return this.notes.change(context, deviceId, body, expected);
  }
}
