import { Injectable } from '@nestjs/common';

import type { DeviceAccessPermissionsDto } from '#libs/contracts';

import type { Principal } from '../../../../access/authentication/principals/principal.js';
import { AuthorizationService } from '../../../../access/authorization/evaluation/authorization.service.js';
import type { DeviceResource } from '../../../../access/authorization/evaluation/rules.js';
import { Permission, type PermissionDefinition } from '../../../../access/authorization/permissions/permission.js';

/** The permission that each member of the answer stands for. */
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

/** Permissions of a principal on a device. */
@Injectable()
export class DeviceAccess {
  constructor(private readonly authorization: AuthorizationService) {}

  async permissions(principal: Principal, device: DeviceResource): Promise<DeviceAccessPermissionsDto> {
    const answers = Object.entries(PERMISSIONS).map(async ([name, permission]) => [
      name,
      await this.authorization.isAllowed(principal, permission, device),
    ]);
    return Object.fromEntries(await Promise.all(answers)) as DeviceAccessPermissionsDto;
  }
}
