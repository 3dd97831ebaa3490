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
    'Record the start of a recording',
    'For the viewer of a remote control session that starts to record it. The activity of the device and the change log name the recording, which ends with the session at the latest. The recording itself stays with the viewer.',
  )
  @Answers(204, 'The start is recorded, now or earlier.', null, {
    404: 'There is no such device, or the caller has no such session on it.',
  })
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
  @Describe('Record the end of a recording', 'For the viewer of a remote control session that stops recording. The session may continue.')
  @Answers(204, 'The end is recorded.', null, { 404: 'There is no such device, or the caller records no such session on it.' })
  end(
    @Context() context: RequestContext,
    @GuidParam('deviceId', DEVICE_ID) deviceId: string,
    @GuidParam('sessionId', SESSION_ID) sessionId: string,
  ): Promise<void> {
    return this.recordings.end(context, deviceId, sessionId);
  }
}
