import { Controller, Get, Query } from '@nestjs/common';

import { on, RequireAccess } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { DeviceActivitiesRepository } from './device-activities.repository.js';
import { DeviceActivityQueryDto, DeviceActivityResponseDto } from './device-activity.dto.js';

@Group('DeviceActivity')
@Controller('account/device-activity')
export class DeviceActivityController {
  constructor(private readonly activities: DeviceActivitiesRepository) {}

  @Get(':deviceId')
  @RequireAccess(Permission.DeviceLogsRead, on.device('deviceId'))
  @Describe(
    'Read what was done on a device',
    'Terminals, transfers, remote sessions and commands: who, when, how many bytes. The newest come first; `after` asks for the page that follows a record.',
  )
  @Answers(200, 'A page of the records.', DeviceActivityResponseDto, { 404: 'There is no such device.' })
  async list(
    @GuidParam('deviceId', 'Id of the device.') deviceId: string,
    @Query() { after, pageSize }: DeviceActivityQueryDto,
  ): Promise<DeviceActivityResponseDto> {
    return { items: await this.activities.list(deviceId, after, pageSize) };
  }
}
