import { WebSocketGateway } from '@nestjs/websockets';

import {
  hubValue,
  viewerHub,
  type ActiveDesktopSessionsResponseDto,
  type DeviceAccessPermissionsDto,
  type HubResult,
  type HubResultOf,
} from '#libs/contracts';

import { VIEWER_HUB_PATH } from '../../common/hub-paths.js';
import { DeviceAccess } from './device-access.js';
import { Serves } from './serves.js';
import type { CallOf } from './viewer-call.js';
import { ViewerCalls } from './viewer-calls.js';

/** Devices: the viewer's permissions, desktops, and requests for a new report. */
@WebSocketGateway({ path: VIEWER_HUB_PATH })
export class DevicesGateway {
  constructor(
    readonly calls: ViewerCalls,
    private readonly access: DeviceAccess,
  ) {}

  @Serves(viewerHub.GetDeviceAccessPermissions2)
  async permissions({ viewer, device }: CallOf<'GetDeviceAccessPermissions2'>): Promise<HubResultOf<DeviceAccessPermissionsDto>> {
    return hubValue(await this.access.permissions(viewer.principal, device));
  }

  @Serves(viewerHub.GetActiveDesktopSessions2)
  async desktopSessions({ relay }: CallOf<'GetActiveDesktopSessions2'>): Promise<HubResultOf<ActiveDesktopSessionsResponseDto>> {
    return hubValue({ sessions: await relay() });
  }

  @Serves(viewerHub.RefreshDeviceInfo2)
  refresh({ relay }: CallOf<'RefreshDeviceInfo2'>): Promise<HubResult> {
    return relay();
  }
}
