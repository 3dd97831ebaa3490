import { Controller, Get, Query } from '@nestjs/common';

import { on, RequireAccess } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { DeviceActivitiesRepository } from './device-activities.repository.js';
import { DeviceActivityPeopleDto, DeviceActivityQueryDto, DeviceActivityResponseDto } from './device-activity.dto.js';

/** Most callers that are listed. */
const MAXIMUM_PEOPLE = 200;

@Group('DeviceActivity')
@Controller('account/device-activity')
export class DeviceActivityController {
  constructor(private readonly activities: DeviceActivitiesRepository) {}

  @Get(':deviceId')
  @RequireAccess(Permission.DeviceLogsRead, on.device('deviceId'))
  @Describe(
    'Read the activity on a device',
    'Terminals, transfers, remote sessions and commands, with their caller, time and bytes. Newest first, of all kinds and callers or of one; `after` requests the page that follows a record.',
  )
  @Answers(200, 'A page of the records.', DeviceActivityResponseDto, { 404: 'There is no such device.' })
  async list(
    @GuidParam('deviceId', 'Id of the device.') deviceId: string,
    @Query() query: DeviceActivityQueryDto,
  ): Promise<DeviceActivityResponseDto> {
    return { items: await this.activities.list(deviceId, query) };
  }

  @Get(':deviceId/people')
  @RequireAccess(Permission.DeviceLogsRead, on.device('deviceId'))
  @Describe('List the users of a device', 'The callers in its activity, to filter the activity by one of them.')
  @Answers(200, 'The callers.', DeviceActivityPeopleDto, { 404: 'There is no such device.' })
  async people(@GuidParam('deviceId', 'Id of the device.') deviceId: string): Promise<DeviceActivityPeopleDto> {
    return { items: await this.activities.people(deviceId, MAXIMUM_PEOPLE) };
  }
}
