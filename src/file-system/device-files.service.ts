import { Injectable } from '@nestjs/common';

import {
  agentClient,
  type FileSystemEntryDto,
  type GetLogFilesResponseDto,
  type PathSegmentsResponseDto,
  type ValidateFilePathResponseDto,
} from '#libs/contracts';

import { DeviceLink } from '../device-link/device-link.js';

/** The calls about files of a device that one answer settles. The caller's right to make them has been checked. */
@Injectable()
export class DeviceFilesService {
  constructor(private readonly link: DeviceLink) {}

  /** The roots of the device's file systems. */
  async rootDrives(deviceId: string): Promise<FileSystemEntryDto[]> {
    const { drives } = await this.link.ask(deviceId, agentClient.GetRootDrives, [{ deviceId }]);
    return drives;
  }

  /** The parts of a path. A path that the device cannot read is an answer, not an error. */
  pathSegments(deviceId: string, targetPath: string): Promise<PathSegmentsResponseDto> {
    return this.link.invoke(deviceId, agentClient.GetPathSegments, [{ targetPath }]);
  }

  /** Whether a new file of that name could be made. */
  validatePath(deviceId: string, directoryPath: string, fileName: string): Promise<ValidateFilePathResponseDto> {
    return this.link.invoke(deviceId, agentClient.ValidateFilePath, [{ directoryPath, fileName }]);
  }

  async createDirectory(deviceId: string, parentPath: string, directoryName: string): Promise<void> {
    await this.link.command(deviceId, agentClient.CreateDirectory, [{ parentPath, directoryName }]);
  }

  /** Deletes a file or a whole directory. */
  async deletePath(deviceId: string, targetPath: string): Promise<void> {
    await this.link.command(deviceId, agentClient.DeleteFile, [{ targetPath }]);
  }

  /** The log files of the agent and its companions, by group. */
  logFiles(deviceId: string): Promise<GetLogFilesResponseDto> {
    return this.link.ask(deviceId, agentClient.GetLogFiles, []);
  }
}
