import { Controller, Delete, HttpCode, Put } from '@nestjs/common';

import { Context, type RequestContext } from '../../../access/authentication/principals/request-context.js';
import { on, RequireAccess } from '../../../access/authorization/guard/access.js';
import { Permission } from '../../../access/authorization/permissions/permission.js';
import { GuidParam } from '../../../platform/http/binding/route-parameters.js';
import { Answers, Describe, Group } from '../../../system/openapi/operation.js';
import { SessionRecordingsService } from './session-recordings.service.js';

const DEVICE_ID = 'Id of the device.';
const SESSION_ID = 'Id of the session at the relay, as its viewer chose it.';

@Group('DeviceInventory')
@Controller('api/inventory/devices/:deviceId/recordings/:sessionId')
export class SessionRecordingsController {
  constructor(private readonly recordings: SessionRecordingsService) {}

  @Put()
  @HttpCode(204)
  @RequireAccess(Permission.DeviceRemoteControlConnect, on.device('deviceId'))
  @Describe(
    'Note that a remote control session is being recorded',
    'For the viewer of the session: the record is in the activity of the device and in the change log, and ends with the session at the latest. The recording itself stays with the viewer.',
  )
  @Answers(204, 'It is noted, now or before.', null, { 404: 'There is no such device, or no such session of the caller runs on it.' })
  begin(
    @Context() context: RequestContext,
    @GuidParam('deviceId', DEVICE_ID) deviceId: string,
    @GuidParam('sessionId', SESSION_ID) sessionId: string,
  ): Promise<void> {
    return this.recordings.begin(context, deviceId, sessionId);
  }

  @Delete()
  @HttpCode(204)
  @RequireAccess(Permission.DeviceRemoteControlConnect, on.device('deviceId'))
  @Describe('Note that the recording of a remote control session has ended', 'For the viewer of the session, which may go on.')
  @Answers(204, 'It is noted.', null, { 404: 'There is no such device, or no such session of the caller is being recorded.' })
  end(
    @Context() context: RequestContext,
    @GuidParam('deviceId', DEVICE_ID) deviceId: string,
    @GuidParam('sessionId', SESSION_ID) sessionId: string,
  ): Promise<void> {
    return this.recordings.end(context, deviceId, sessionId);
  }
}
