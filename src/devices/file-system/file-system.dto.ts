import { MAX_NAME_LENGTH, MAX_PATH_LENGTH, type Timestamp } from '#libs/contracts';

import { Bool, Guid, Instant, ListOf, Long, Text, TextList } from '../../platform/http/binding/fields.js';

/** Most paths of one archive. */
const MAX_ARCHIVE_PATHS = 1_000;

const DEVICE_ID = 'Id of the device.';
const DIRECTORY = 'Absolute path of the directory.';
const EXAMPLE_DIRECTORY = '/home/anna/reports';
const EXAMPLE_FILE = 'january.pdf';
const EXAMPLE_PATH = '/home/anna/reports/january.pdf';
const LAST_MODIFIED = "Time of the last change, with the device's offset from UTC.";

/** A file or directory of a device. */
export class DeviceFileSystemEntryDto {
  @Text('Name of the file or directory.', { example: EXAMPLE_FILE }) name: string;
  @Text('Absolute path.', { example: EXAMPLE_PATH }) fullPath: string;
  @Bool('True for a directory.', { example: false }) isDirectory: boolean;
  @Long('Size in bytes; 0 for directories.', { example: 182044 }) size: number;
  @Instant(LAST_MODIFIED) lastModified: Timestamp;
  @Bool('True if the file or directory is hidden on the device.', { example: false }) isHidden: boolean;
  @Bool('True if the agent may read the file or directory.') canRead: boolean;
  @Bool('True if the agent may change the file or directory.') canWrite: boolean;
  @Bool('True for a directory that has subdirectories.', { example: false }) hasSubfolders: boolean;
}

export class DeviceDirectoryContentsRequestDto {
  @Guid(DEVICE_ID) deviceId: string;
  @Text(DIRECTORY, { max: MAX_PATH_LENGTH, example: EXAMPLE_DIRECTORY }) directoryPath: string;
}

export class DeviceDirectoryContentsResponseDto {
  @Bool('True if the directory exists and can be read.') directoryExists: boolean;
  @ListOf('Files first, then directories, each sorted by name.', () => DeviceFileSystemEntryDto) items: DeviceFileSystemEntryDto[];
}

/** The answer of the internal route. */
export class DeviceDirectoryEntriesResponseDto {
  @Bool('True if the directory exists and can be read.') directoryExists: boolean;
  @ListOf('Files first, then directories, each sorted by name.', () => DeviceFileSystemEntryDto) entries: DeviceFileSystemEntryDto[];
}

export class DeviceSubdirectoriesRequestDto {
  @Guid(DEVICE_ID) deviceId: string;
  @Text(DIRECTORY, { max: MAX_PATH_LENGTH, example: EXAMPLE_DIRECTORY }) directoryPath: string;
}

export class DeviceSubdirectoriesResponseDto {
  @ListOf('The subdirectories, sorted by name.', () => DeviceFileSystemEntryDto) subdirectories: DeviceFileSystemEntryDto[];
}

export class DevicePathSegmentsRequestDto {
  @Guid(DEVICE_ID) deviceId: string;
  @Text('The path to split.', { max: MAX_PATH_LENGTH, example: EXAMPLE_DIRECTORY }) targetPath: string;
}

export class DevicePathSegmentsResponseDto {
  @Text('Reason why the path could not be split; null if it could.', { nullable: true, example: null }) errorMessage: string | null;
  @Bool('True if the path leads to a directory.') pathExists: boolean;
  @TextList('The segments, from the root on.', { maxLength: MAX_PATH_LENGTH, example: ['/', 'home', 'anna', 'reports'] })
  pathSegments: string[];
  @Text('The separator of paths on the device.', { example: '/' }) pathSeparator: string;
  @Bool('True if the path could be split.') success: boolean;
}

export class DeviceRootDrivesRequestDto {
  @Guid(DEVICE_ID) deviceId: string;
}

export class DeviceRootDrivesResponseDto {
  @ListOf('The drives, as directories.', () => DeviceFileSystemEntryDto) drives: DeviceFileSystemEntryDto[];
}

export class ValidateDeviceFilePathRequestDto {
  @Text(DIRECTORY, { max: MAX_PATH_LENGTH, notBlank: true, example: EXAMPLE_DIRECTORY }) directoryPath: string;
  @Text('Name of the file to be made.', { max: MAX_NAME_LENGTH, notBlank: true, example: EXAMPLE_FILE }) fileName: string;
}

export class DeviceFilePathValidationResponseDto {
  @Bool('True if the file could be created.', { example: false }) isValid: boolean;
  @Text('Reason why the name cannot be used; empty if it can.', { example: 'A file of that name already exists.' }) errorMessage: string;
}

export class CreateDeviceDirectoryRequestDto {
  @Text('Absolute path of the parent directory.', { max: MAX_PATH_LENGTH, notBlank: true, example: EXAMPLE_DIRECTORY })
  parentPath: string;
  @Text('Name of the new directory.', { max: MAX_NAME_LENGTH, notBlank: true, example: 'archive' }) directoryName: string;
}

export class DeleteDevicePathRequestDto {
  @Text('Absolute path of the file or directory.', { max: MAX_PATH_LENGTH, notBlank: true, example: EXAMPLE_PATH })
  filePath: string;
}

export class RenameDevicePathRequestDto {
  @Text('Absolute path of the file or directory.', { max: MAX_PATH_LENGTH, notBlank: true, example: EXAMPLE_PATH })
  filePath: string;
  @Text('Its new name, without a path.', { max: MAX_NAME_LENGTH, notBlank: true, example: 'february.pdf' }) newName: string;
}

export class DeviceFileFeaturesDto {
  @Bool('True if the agent can rename files and directories.') canRename: boolean;
}

export class DevicePathDeletionResponseDto {
  @Text('A sentence for people.', { example: 'The path was deleted.' }) message: string;
  @Text('The path that was deleted.', { example: EXAMPLE_PATH }) filePath: string;
}

export class DownloadDeviceArchiveRequestDto {
  @Text('Name of the zip file; of a path, its last segment. `.zip` is added if it is missing.', {
    max: MAX_NAME_LENGTH,
    notBlank: true,
    example: 'reports.zip',
  })
  archiveFileName: string;
  @TextList('Absolute paths of the files and directories to pack.', {
    min: 1,
    max: MAX_ARCHIVE_PATHS,
    maxLength: MAX_PATH_LENGTH,
    example: [EXAMPLE_PATH],
  })
  targetPaths: string[];
}

/** The query of the routes that name a file of the device. */
export class DeviceFileQueryDto {
  @Text('Absolute path of the file.', { max: MAX_PATH_LENGTH, notBlank: true, example: EXAMPLE_PATH }) filePath: string;
}

export class DeviceFileUploadResponseDto {
  @Text('A sentence for people.', { example: 'The file was uploaded.' }) message: string;
  @Text('Name under which the file was stored.', { example: EXAMPLE_FILE }) fileName: string;
}

export class DeviceLogFileEntryDto {
  @Text('Name of the log file.', { example: 'LogFile20260309.log' }) fileName: string;
  @Text('Absolute path, to read it with.', { example: '/var/lib/device-agent/logs/LogFile20260309.log' }) fullPath: string;
  @Long('Size in bytes.', { example: 48211 }) size: number;
  @Instant(LAST_MODIFIED) lastModified: Timestamp;
}

export class DeviceLogFileGroupDto {
  @Text('Program that writes the logs of the group.', { example: 'Agent' }) groupName: string;
  @ListOf('The log files of the group, newest first.', () => DeviceLogFileEntryDto) logFiles: DeviceLogFileEntryDto[];
}

export class DeviceLogFileListResponseDto {
  @ListOf('The groups.', () => DeviceLogFileGroupDto) logFileGroups: DeviceLogFileGroupDto[];
}
