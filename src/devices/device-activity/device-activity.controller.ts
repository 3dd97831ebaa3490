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
    'Read what was done on a device',
    'Terminals, transfers, remote sessions and commands: who, when, how many bytes. The newest come first, all or those of one kind or caller; `after` asks for the page that follows a record.',
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
  @Describe('List who has worked on a device', 'The callers that its records name, to narrow the records down to one of them.')
  @Answers(200, 'The callers.', DeviceActivityPeopleDto, { 404: 'There is no such device.' })
  async people(@GuidParam('deviceId', 'Id of the device.') deviceId: string): Promise<DeviceActivityPeopleDto> {
    return { items: await this.activities.people(deviceId, MAXIMUM_PEOPLE) };
  }
}
