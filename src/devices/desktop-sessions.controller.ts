import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { agentClient } from '#libs/contracts';

import { Context, type RequestContext } from '../authentication/request-context.js';
import { on, RequireAccess } from '../authorization/access.js';
import { Permission } from '../authorization/permission.js';
import { EnumName, namesOf } from '../http/binding/enum-fields.js';
import { Bool, Int, ListOf, Text } from '../http/binding/fields.js';
import { GuidParam } from '../http/binding/route-parameters.js';
import { visibleDesktopSessions } from '../device-link/desktop-sessions.js';
import { DeviceLink } from '../device-link/device-link.service.js';
import { Answers } from '../openapi/operation.js';

/** What kind of session a desktop belongs to. */
export enum DesktopSessionTypeDto {
  Console = 'Console',
  Rdp = 'Rdp',
}

const SESSION_TYPE = namesOf('DesktopSessionTypeDto', DesktopSessionTypeDto);

export class DesktopSessionResponseDto {
  @Bool('') areRemoteControlPermissionsGranted: boolean;
  @Text('') desktopName: string;
  @Text('') name: string;
  @Int('') processId: number;
  @Int('') systemSessionId: number;
  @EnumName('', SESSION_TYPE) type: DesktopSessionTypeDto;
  @Text('') username: string;
}

export class DesktopSessionsResponseDto {
  @ListOf('', () => DesktopSessionResponseDto) items: DesktopSessionResponseDto[];
}

/** The desktops of a device, asked from its agent. */
@ApiTags('Devices')
@Controller('api/v1/devices')
export class DesktopSessionsController {
  constructor(private readonly link: DeviceLink) {}

  @Get(':deviceId/desktop-sessions')
  @RequireAccess(Permission.DeviceRead, on.device('deviceId'))
  @Answers(200, '', DesktopSessionsResponseDto, { 404: '', 409: '' })
  async list(@Context() context: RequestContext, @GuidParam('deviceId', '') deviceId: string): Promise<DesktopSessionsResponseDto> {
    const sessions = await this.link.invoke(deviceId, agentClient.GetActiveDesktopSessions, []);
    const visible = visibleDesktopSessions(context.principal, deviceId, sessions);
    return { items: visible.map((session) => ({ ...session, type: SESSION_TYPE.members[session.type] })) };
  }
}
