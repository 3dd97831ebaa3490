import { Injectable } from '@nestjs/common';

import {
  agentClient,
  type FileSystemEntryDto,
  type GetLogFilesResponseDto,
  type PathSegmentsResponseDto,
  type ValidateFilePathResponseDto,
} from '#libs/contracts';

import { DeviceLink } from '../device-link/device-link.js';

/** Calls about the files of a device that a single answer completes. The caller's permission was checked before. */
@Injectable()
export class DeviceFilesService {
  constructor(private readonly link: DeviceLink) {}

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

  async createDirectory(deviceId: string, parentPath: string, directoryName: string): Promise<void> {
    await (await this.link.reach(deviceId)).command(agentClient.CreateDirectory, [{ parentPath, directoryName }]);
  }

  /** Deletes a file or a whole directory. */
  async deletePath(deviceId: string, targetPath: string): Promise<void> {
    await (await this.link.reach(deviceId)).command(agentClient.DeleteFile, [{ targetPath }]);
  }

  /** The log files of the agent and its companion processes, by group. */
  async logFiles(deviceId: string): Promise<GetLogFilesResponseDto> {
    return (await this.link.reach(deviceId)).ask(agentClient.GetLogFiles, []);
  }
}
