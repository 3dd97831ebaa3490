import { Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';

import { Context, type RequestContext } from '../../../access/authentication/principals/request-context.js';
import { on, RequireAccess } from '../../../access/authorization/guard/access.js';
import { Permission } from '../../../access/authorization/permissions/permission.js';
import { GuidParam } from '../../../platform/http/binding/route-parameters.js';
import { Answers, Describe, Group } from '../../../system/openapi/operation.js';
import { AtDeviceNode } from '../../device-link/at-device-node.js';
import { ReportedInventoryDto, RunningSessionsDto } from './device-inventory.dto.js';
import { DeviceInventoryService } from './device-inventory.service.js';

const DEVICE_ID = 'Id of the device.';
const UNKNOWN = 'There is no such device.';

@Group('DeviceInventory')
@Controller('api/inventory/devices')
export class DeviceInventoryController {
  constructor(private readonly inventory: DeviceInventoryService) {}

  @Get(':deviceId/inventory')
  @RequireAccess(Permission.DeviceOverviewRead, on.device('deviceId'))
  @Describe(
    'Read the inventory of a device',
    "Model, processor, memory, installed programs and pending updates in the agent's last report. The agent reports when it starts, once a day, and on request. Only the agents of this server report an inventory.",
  )
  @Answers(200, 'The inventory, if there is one.', ReportedInventoryDto, { 404: UNKNOWN })
  async get(@Context() context: RequestContext, @GuidParam('deviceId', DEVICE_ID) deviceId: string): Promise<ReportedInventoryDto> {
    return { inventory: await this.inventory.get(context, deviceId) };
  }

  @Post(':deviceId/inventory/refresh')
  @HttpCode(204)
  @AtDeviceNode()
  @RequireAccess(Permission.DeviceOverviewRead, on.device('deviceId'))
  @Describe('Refresh the inventory of a device', 'Asks the agent to read its inventory again, and waits until the service has stored it.')
  @Answers(204, 'The stored inventory is up to date.', null, {
    404: UNKNOWN,
    409: 'The device is offline, or its agent reports no inventory.',
  })
  refresh(@Context() context: RequestContext, @GuidParam('deviceId', DEVICE_ID) deviceId: string): Promise<void> {
    return this.inventory.refresh(context, deviceId);
  }

  @Get(':deviceId/sessions')
  @RequireAccess(Permission.DeviceOverviewRead, on.device('deviceId'))
  @Describe('List the running sessions on a device', 'The running terminals, remote control and VNC sessions, with their users.')
  @Answers(200, 'The sessions.', RunningSessionsDto, { 404: UNKNOWN })
  async sessions(@Context() context: RequestContext, @GuidParam('deviceId', DEVICE_ID) deviceId: string): Promise<RunningSessionsDto> {
    return { items: await this.inventory.running(context, deviceId) };
  }

  @Delete(':deviceId/sessions/:sessionId')
  @HttpCode(204)
  @RequireAccess(Permission.DevicePowerManage, on.device('deviceId'))
  @Describe(
    'End a running session on a device',
    'Ends a remote control or VNC session of any user within a second. It needs the permission to restart the device, because a restart also ends sessions.',
  )
  @Answers(204, 'The session ends.', null, { 404: 'There is no such device, or no such session runs on it.' })
  end(
    @Context() context: RequestContext,
    @GuidParam('deviceId', DEVICE_ID) deviceId: string,
    @GuidParam('sessionId', 'Id of the record of the session.') sessionId: string,
  ): Promise<void> {
    return this.inventory.end(context, deviceId, sessionId);
  }
}
