import { Injectable } from '@nestjs/common';

import {
  agentClient,
  type FileSystemEntryDto,
  type GetLogFilesResponseDto,
  type PathSegmentsResponseDto,
  type ValidateFilePathResponseDto,
} from '#libs/contracts';

import type { TenantContext } from '../../access/authentication/principals/request-context.js';
import { conflict } from '../../platform/common/errors/errors.js';
import { DeviceActivities } from '../device-activity/device-activities.js';
import { DeviceActivityKind } from '../device-activity/device-activity-kinds.js';
import { requireInTime } from '../device-link/call-age.js';
import { DeviceLink } from '../device-link/device-link.js';
import type { ReachedDevice } from '../device-link/reached-device.js';

/** Calls about the files of a device that a single answer completes. The caller's permission was checked before. */
@Injectable()
export class DeviceFilesService {
  constructor(
    private readonly link: DeviceLink,
    private readonly activities: DeviceActivities,
  ) {}

  /** The roots of the device's file systems. */
  async rootDrives(deviceId: string): Promise<FileSystemEntryDto[]> {
    const { drives } = await (await this.link.reach(deviceId)).ask(agentClient.GetRootDrives, [{ deviceId }]);
    return drives;
  }

  /** The parts of a path. A path that the device cannot read gives an answer, not an error. */
  async pathSegments(deviceId: string, targetPath: string): Promise<PathSegmentsResponseDto> {
    return (await this.link.reach(deviceId)).invoke(agentClient.GetPathSegments, [{ targetPath }]);
  }

  /** Checks that a file with this name could be created. */
  async validatePath(deviceId: string, directoryPath: string, fileName: string): Promise<ValidateFilePathResponseDto> {
    return (await this.link.reach(deviceId)).invoke(agentClient.ValidateFilePath, [{ directoryPath, fileName }]);
  }

  async createDirectory(context: TenantContext, deviceId: string, parentPath: string, directoryName: string): Promise<void> {
    await this.change(context, DeviceActivityKind.NewFolder, deviceId, `${parentPath}/${directoryName}`, (device) =>
      device.command(agentClient.CreateDirectory, [{ parentPath, directoryName }]),
    );
  }

  /** Deletes a file or a whole directory. */
  async deletePath(context: TenantContext, deviceId: string, targetPath: string): Promise<void> {
    await this.change(context, DeviceActivityKind.Delete, deviceId, targetPath, (device) =>
      device.command(agentClient.DeleteFile, [{ targetPath }]),
    );
  }

  /** Checks that the agent of the device can rename files: see `AGENT_FEATURES`. */
  canRename(deviceId: string): boolean {
    return this.link.offers(deviceId, 'RenameFile');
  }

  /** Gives a file or directory another name where it is. 409 when the agent cannot. */
  async rename(context: TenantContext, deviceId: string, targetPath: string, newName: string): Promise<void> {
    this.link.requireReachable(deviceId);
    if (!this.canRename(deviceId)) throw conflict('The agent of this device cannot rename files.');
    await this.change(context, DeviceActivityKind.Rename, deviceId, `${targetPath} → ${newName}`, (device) =>
      device.command(agentClient.RenameFile, [{ targetPath, newName }]),
    );
  }

  /** The log files of the agent and its companion processes, by group. */
  async logFiles(deviceId: string): Promise<GetLogFilesResponseDto> {
    return (await this.link.reach(deviceId)).ask(agentClient.GetLogFiles, []);
  }

  /** Makes a change, with its record. None begins while the device cannot be reached, or after its request has waited for too long. */
  private async change(
    context: TenantContext,
    kind: DeviceActivityKind,
    deviceId: string,
    subject: string,
    make: (device: ReachedDevice) => Promise<void>,
  ): Promise<void> {
    requireInTime(context.readAt);
    const device = await this.link.reach(deviceId, context.readAt);
    await this.activities.record(context, { kind, tenantId: context.tenantId, deviceId, subject }, () => make(device));
  }
}
