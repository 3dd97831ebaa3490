import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { RequireAccess, RequireAuthenticated, TenantInQuery } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import type { ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { LocatedAt } from '../../platform/http/addresses/created-location.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { IfMatch, Tagged } from '../../platform/http/bodies/entity-tags.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { CreateDeviceFieldRequestDto, DeviceFieldDto, DeviceFieldsResponseDto, UpdateDeviceFieldRequestDto } from './device-field.dto.js';
import { deviceFieldState, DeviceFieldsService } from './device-fields.service.js';

const FIELD_ID = 'Id of the field.';
const UNKNOWN = 'The tenant has no such field.';

@Group('DeviceFields')
@TenantInQuery()
@Controller('api/inventory/fields')
export class DeviceFieldsController {
  constructor(private readonly fields: DeviceFieldsService) {}

  @Get()
  @RequireAuthenticated()
  @Describe('List the fields', 'Every caller of the tenant sees all of its fields. The values are read device by device.')
  @Answers(200, 'The fields of the tenant.', DeviceFieldsResponseDto)
  async list(@Context() context: TenantContext): Promise<DeviceFieldsResponseDto> {
    return { items: await this.fields.list(context) };
  }

  @Get(':fieldId')
  @Tagged(deviceFieldState)
  @RequireAuthenticated()
  @Describe('Get a field', 'With its place among the fields of the tenant.')
  @Answers(200, 'The field.', DeviceFieldDto, { 404: UNKNOWN })
  get(@Context() context: TenantContext, @GuidParam('fieldId', FIELD_ID) fieldId: string): Promise<DeviceFieldDto> {
    return this.fields.get(context, fieldId);
  }

  @Post()
  @Tagged(deviceFieldState)
  @RequireAccess(Permission.TenantSettingsWrite)
  @LocatedAt('/api/inventory/fields/{id}?tenantId={tenantId}')
  @Describe('Define a field', 'The new field is the last one. No device has a value of it yet. A tenant can have 30 fields.')
  @Answers(201, 'The new field.', DeviceFieldDto, { 409: 'The tenant has a field of this name already.' })
  create(@Context() context: TenantContext, @Body() body: CreateDeviceFieldRequestDto): Promise<DeviceFieldDto> {
    return this.fields.create(context, body);
  }

  @Put(':fieldId')
  @Tagged(deviceFieldState)
  @RequireAccess(Permission.TenantSettingsWrite)
  @Describe('Change a field', 'Renames or moves it, lets lists show it, or changes its choices. Its type and its values stay.')
  @Answers(200, 'The field as it is now.', DeviceFieldDto, { 404: UNKNOWN, 409: 'Another field of the tenant has this name.' })
  update(
    @Context() context: TenantContext,
    @GuidParam('fieldId', FIELD_ID) fieldId: string,
    @Body() body: UpdateDeviceFieldRequestDto,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<DeviceFieldDto> {
    return this.fields.update(context, fieldId, body, expected);
  }

  @Delete(':fieldId')
  @HttpCode(204)
  @RequireAccess(Permission.TenantSettingsWrite)
  @Describe('Delete a field', 'Its values on all devices are deleted with it.')
  @Answers(204, 'The field is gone.', null, { 404: UNKNOWN })
  remove(
    @Context() context: TenantContext,
    @GuidParam('fieldId', FIELD_ID) fieldId: string,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<void> {
    return this.fields.remove(context, fieldId, expected);
  }
}
