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
  @Describe('List the fields', 'Every caller of the tenant sees all its fields. Read the values of each device separately.')
  @Answers(200, 'The fields of the tenant.', DeviceFieldsResponseDto)
  async list(@Context() context: TenantContext): Promise<DeviceFieldsResponseDto> {
    return { items: await this.fields.list(context) };
  }

  @Get(':fieldId')
  @Tagged(deviceFieldState)
  @RequireAuthenticated()
  @Describe('Get a field', 'The field with its position among the fields of the tenant.')
  @Answers(200, 'The field.', DeviceFieldDto, { 404: UNKNOWN })
  get(@Context() context: TenantContext, @GuidParam('fieldId', FIELD_ID) fieldId: string): Promise<DeviceFieldDto> {
    return this.fields.get(context, fieldId);
  }

  @Post()
  @Tagged(deviceFieldState)
  @RequireAccess(Permission.TenantSettingsWrite)
  @LocatedAt('/api/inventory/fields/{id}?tenantId={tenantId}')
  @Describe('Define a field', 'The new field is the last one, and no device has a value for it. A tenant can have 30 fields.')
  @Answers(201, 'The new field.', DeviceFieldDto, { 409: 'The tenant already has a field with this name.' })
  create(@Context() context: TenantContext, @Body() body: CreateDeviceFieldRequestDto): Promise<DeviceFieldDto> {
    return this.fields.create(context, body);
  }

  @Put(':fieldId')
  @Tagged(deviceFieldState)
  @RequireAccess(Permission.TenantSettingsWrite)
  @Describe('Change a field', 'Changes its name, position, visibility in lists, or choices. Its type and values stay.')
  @Answers(200, 'The changed field.', DeviceFieldDto, { 404: UNKNOWN, 409: 'Another field of the tenant has this name.' })
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
  @Answers(204, 'The field is deleted.', null, { 404: UNKNOWN })
  remove(
    @Context() context: TenantContext,
    @GuidParam('fieldId', FIELD_ID) fieldId: string,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<void> {
    return this.fields.remove(context, fieldId, expected);
  }
}
