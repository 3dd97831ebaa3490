import { Controller, Get } from '@nestjs/common';

import { agentClient } from '#libs/contracts';

import { Context, type RequestContext } from '../../access/authentication/principals/request-context.js';
import { on, RequireAccess } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import { EnumName, namesOf } from '../../platform/http/binding/enum-fields.js';
import { Bool, Int, ListOf, Text } from '../../platform/http/binding/fields.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { visibleDesktopSessions } from '../device-link/desktop-sessions.js';
import { DeviceLink } from '../device-link/device-link.js';

/** Kind of the session that a desktop belongs to. */
export enum DesktopSessionTypeDto {
  Console = 'Console',
  Rdp = 'Rdp',
}

const SESSION_TYPE = namesOf('DesktopSessionTypeDto', DesktopSessionTypeDto, {
  Console: 'the desktop at the machine itself.',
  Rdp: 'a Remote Desktop session on Windows.',
});

export class DesktopSessionResponseDto {
  @Bool('True if the operating system lets the agent control the desktop.') areRemoteControlPermissionsGranted: boolean;
  @Text('Name of the desktop within its session.', { example: 'Default' }) desktopName: string;
  @Text('Name of the session.', { example: 'Console' }) name: string;
  @Int('Id of the process that serves the session on the device. Desktop previews name it.', { example: 4312 }) processId: number;
  @Int('Id of the session in the operating system.') systemSessionId: number;
  @EnumName('Kind of the session.', SESSION_TYPE) type: DesktopSessionTypeDto;
  @Text('Name of the signed-in user; empty if no one is signed in.', { example: 'anna' }) username: string;
}

export class DesktopSessionsResponseDto {
  @ListOf('The sessions.', () => DesktopSessionResponseDto) items: DesktopSessionResponseDto[];
}

/** The desktops of a device, asked from its agent. */
@Group('Devices')
@Controller('api/v1/devices')
export class DesktopSessionsController {
  constructor(private readonly link: DeviceLink) {}

  @Get(':deviceId/desktop-sessions')
  @RequireAccess(Permission.DeviceRead, on.device('deviceId'))
  @Describe(
    'List the desktop sessions of a device',
    'Asks the agent for the desktops that viewers can connect to. A caller with a logon token sees only the sessions that the token allows.',
  )
  @Answers(200, 'The desktop sessions.', DesktopSessionsResponseDto, {
    404: 'There is no such device for the caller.',
    409: 'The device is offline.',
  })
  async list(
    @Context() context: RequestContext,
    @GuidParam('deviceId', 'Id of the device.') deviceId: string,
  ): Promise<DesktopSessionsResponseDto> {
    const sessions = await (await this.link.reach(deviceId)).invoke(agentClient.GetActiveDesktopSessions, []);
    const visible = visibleDesktopSessions(context.principal, deviceId, sessions);
    return { items: visible.map((session) => ({ ...session, type: SESSION_TYPE.members[session.type] })) };
  }
}
