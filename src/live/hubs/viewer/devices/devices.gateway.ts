import { WebSocketGateway } from '@nestjs/websockets';

import {
  hubValue,
  PowerStateChangeType,
  viewerHub,
  type DeviceAccessPermissionsDto,
  type HubResult,
  type HubResultOf,
} from '#libs/contracts';

import { DeviceActivityKind } from '../../../../devices/device-activity/device-activity-kinds.js';
import { VIEWER_HUB_PATH } from '../../../../platform/common/addresses/hub-paths.js';
import { Serves } from '../calls/serves.js';
import type { CallOf } from '../calls/viewer-call.js';
import { ViewerCalls } from '../calls/viewer-calls.js';
import { DeviceAccess } from './device-access.js';
import { DeviceCommands } from './device-commands.js';
import { DeviceWake } from './device-wake.js';

/** Devices and their agents: permissions of the viewer, reports, updates, power. */
@WebSocketGateway({ path: VIEWER_HUB_PATH })
export class DevicesGateway {
  constructor(
    readonly calls: ViewerCalls,
    private readonly access: DeviceAccess,
    private readonly commands: DeviceCommands,
    private readonly wake: DeviceWake,
  ) {}

  @Serves(viewerHub.GetDeviceAccessPermissions2)
  async permissions({ viewer, device }: CallOf<'GetDeviceAccessPermissions2'>): Promise<HubResultOf<DeviceAccessPermissionsDto>> {
    return hubValue(await this.access.permissions(viewer.principal, device));
  }

  @Serves(viewerHub.RefreshDeviceInfo2)
  refresh({ relay }: CallOf<'RefreshDeviceInfo2'>): Promise<HubResult> {
    return relay();
  }

  @Serves(viewerHub.SendAgentUpdateTrigger2)
  updateAgent({ viewer, device, relay }: CallOf<'SendAgentUpdateTrigger2'>): Promise<HubResult> {
    return this.commands.record(viewer, device, DeviceActivityKind.AgentUpdate, '', () => relay());
  }

  @Serves(viewerHub.UninstallAgent2)
  uninstallAgent({ viewer, device, request: { reason }, relay }: CallOf<'UninstallAgent2'>): Promise<HubResult> {
    return this.commands.record(viewer, device, DeviceActivityKind.AgentUninstall, reason, () => relay(reason));
  }

  @Serves(viewerHub.SendPowerStateChange2)
  changePowerState({ viewer, device, request: { changeType }, relay }: CallOf<'SendPowerStateChange2'>): Promise<HubResult> {
    return this.commands.record(
      viewer,
      device,
      DeviceActivityKind.Power,
      changeType === PowerStateChangeType.Restart ? 'Restart' : 'Shutdown',
      () => relay(changeType),
    );
  }

  @Serves(viewerHub.SendWakeDevice2)
  wakeDevice({ viewer, device, request: { macAddresses }, arrivedAt }: CallOf<'SendWakeDevice2'>): Promise<HubResultOf<string>> {
    return this.commands.record(viewer, device, DeviceActivityKind.Wake, macAddresses.join(' '), async () =>
      hubValue(await this.wake.wake(device.id, macAddresses, arrivedAt)),
    );
  }

  @Serves(viewerHub.SendDtoToAgent)
  passOn({ request: { wrapper }, relay }: CallOf<'SendDtoToAgent'>): Promise<HubResult> {
    return relay(wrapper);
  }
}
