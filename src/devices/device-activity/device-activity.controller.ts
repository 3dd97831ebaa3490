import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';

import { on, RequireAccess } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { EXPORT_HEADERS, type Exported, JSONL, streamExport } from '../../platform/http/bodies/export-stream.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { DeviceActivitiesRepository } from './device-activities.repository.js';
import {
  type DeviceActivityDto,
  DeviceActivityExportQueryDto,
  DeviceActivityPeopleDto,
  DeviceActivityQueryDto,
  DeviceActivityResponseDto,
} from './device-activity.dto.js';

/** Most callers that are listed. */
const MAXIMUM_PEOPLE = 200;

/** The columns of the activity as a table. */
const COLUMNS: Exported<DeviceActivityDto>['columns'] = {
  id: ({ id }) => id,
  kind: ({ kind }) => kind,
  principalKind: ({ principalKind }) => principalKind,
  principalId: ({ principalId }) => principalId,
  principalName: ({ principalName }) => principalName,
  ipAddress: ({ ipAddress }) => ipAddress,
  userCorrelationId: ({ userCorrelationId }) => userCorrelationId,
  sessionCorrelationId: ({ sessionCorrelationId }) => sessionCorrelationId,
  subject: ({ subject }) => subject,
  desktopSession: ({ desktopSession }) => desktopSession,
  isViewOnly: ({ isViewOnly }) => isViewOnly,
  consent: ({ consent }) => consent,
  startedAt: ({ startedAt }) => startedAt,
  endedAt: ({ endedAt }) => endedAt,
  bytesIn: ({ bytesIn }) => bytesIn,
  bytesOut: ({ bytesOut }) => bytesOut,
  outcome: ({ outcome }) => outcome,
};

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

  @Get(':deviceId/export')
  @RequireAccess(Permission.DeviceLogsRead, on.device('deviceId'))
  @Describe('Export the activity on a device', 'All records that match, newest first, as a file of JSON lines or as a table.')
  @Answers(200, 'The file.', JSONL, { 404: 'There is no such device.' }, EXPORT_HEADERS)
  export(
    @GuidParam('deviceId', 'Id of the device.') deviceId: string,
    @Query() { format, ...filter }: DeviceActivityExportQueryDto,
    @Res() response: Response,
  ): Promise<void> {
    return streamExport(response, format, { name: 'device-activity', items: this.activities.all(deviceId, filter), columns: COLUMNS });
  }

  @Get(':deviceId/people')
  @RequireAccess(Permission.DeviceLogsRead, on.device('deviceId'))
  @Describe('List the users of a device', 'The callers in its activity, to filter the activity by one of them.')
  @Answers(200, 'The callers.', DeviceActivityPeopleDto, { 404: 'There is no such device.' })
  async people(@GuidParam('deviceId', 'Id of the device.') deviceId: string): Promise<DeviceActivityPeopleDto> {
    return { items: await this.activities.people(deviceId, MAXIMUM_PEOPLE) };
  }
}
