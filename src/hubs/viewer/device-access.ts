import { Injectable } from '@nestjs/common';

import {
  agentClient,
  hubOk,
  hubValue,
  viewerHub,
  type ActiveDesktopSessionsResponseDto,
  type DesktopSession,
  type DeviceAccessPermissionsDto,
  type HubResult,
  type HubResultOf,
} from '#libs/contracts';

import { AuthorizationService } from '../../authorization/authorization.service.js';
import { Permission, type PermissionDefinition } from '../../authorization/permission.js';
import { visibleDesktopSessions } from '../../device-link/desktop-sessions.js';
import { DeviceLink } from '../../device-link/device-link.js';
import type { ConnectedViewer } from './connected-viewer.js';
import { withoutValue } from './terminals.js';
import { ViewerAccess } from './viewer-access.js';

/** The permission behind each member of the answer. */
const PERMISSIONS: Readonly<Record<keyof DeviceAccessPermissionsDto, PermissionDefinition>> = {
  canViewOverview: Permission.DeviceOverviewRead,
  canUseRemoteControl: Permission.DeviceRemoteControlConnect,
  canUseTerminal: Permission.DeviceTerminalUse,
  canUseChat: Permission.DeviceChatSend,
  canReadFileSystem: Permission.DeviceFileSystemRead,
  canReadLogs: Permission.DeviceLogsRead,
  canUseVncRelay: Permission.DeviceVncRelayConnect,
  canInteractWithRemoteControl: Permission.DeviceRemoteControlInteract,
  canBlockRemoteInput: Permission.DeviceRemoteControlBlockInput,
  canReadClipboard: Permission.DeviceClipboardRead,
  canWriteClipboard: Permission.DeviceClipboardWrite,
  canSendCtrlAltDel: Permission.DeviceCtrlAltDelSend,
};

/** What a viewer may do with a device, which desktops it has, and a nudge to report anew. */
@Injectable()
export class DeviceAccess {
  constructor(
    private readonly access: ViewerAccess,
    private readonly authorization: AuthorizationService,
    private readonly link: DeviceLink,
  ) {}

  permissions(viewer: ConnectedViewer, deviceId: string): Promise<HubResultOf<DeviceAccessPermissionsDto>> {
    return this.access.onDevice(viewer, viewerHub.GetDeviceAccessPermissions2, deviceId, async (device) => {
      const entries = await Promise.all(
        Object.entries(PERMISSIONS).map(async ([name, permission]) => [
          name,
          await this.authorization.isAllowed(viewer.principal, permission, device),
        ]),
      );
      return hubValue(Object.fromEntries(entries) as DeviceAccessPermissionsDto);
    });
  }

  desktopSessions(viewer: ConnectedViewer, deviceId: string): Promise<HubResultOf<ActiveDesktopSessionsResponseDto>> {
    return this.access.onDevice(viewer, viewerHub.GetActiveDesktopSessions2, deviceId, async () => {
      const sessions: DesktopSession[] = await this.link.invoke(deviceId, agentClient.GetActiveDesktopSessions, []);
      return hubValue({ sessions: visibleDesktopSessions(viewer.principal, deviceId, sessions) });
    });
  }

  refresh(viewer: ConnectedViewer, deviceId: string): Promise<HubResult> {
    return this.access.onDevice(viewer, viewerHub.RefreshDeviceInfo2, deviceId, async () => {
      this.link.send(deviceId, agentClient.RefreshDeviceInfo);
      return withoutValue(hubOk());
    });
  }
}
