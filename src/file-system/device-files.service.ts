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
    const { drives } = await this.link.ask(deviceId, agentClient.GetRootDrives, [{ deviceId }]);
    return drives;
  }

  /** The parts of a path. A path that the device cannot read gives an answer, not an error. */
  pathSegments(deviceId: string, targetPath: string): Promise<PathSegmentsResponseDto> {
    return this.link.invoke(deviceId, agentClient.GetPathSegments, [{ targetPath }]);
  }

  /** Whether a file with this name could be created. */
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

  /** The log files of the agent and its companion processes, by group. */
  logFiles(deviceId: string): Promise<GetLogFilesResponseDto> {
    return this.link.ask(deviceId, agentClient.GetLogFiles, []);
  }
}
