import { MAX_NAME_LENGTH, MAX_PATH_LENGTH, type Timestamp } from '#libs/contracts';

import { Bool, Guid, Instant, ListOf, Long, Text, TextList } from '../http/binding/fields.js';

/** Most paths of one archive. */
const MAX_ARCHIVE_PATHS = 1_000;

/** A file or directory of a device. Times carry the device's own offset from UTC. */
export class DeviceFileSystemEntryDto {
  @Text('') name: string;
  @Text('') fullPath: string;
  @Bool('') isDirectory: boolean;
  @Long('Bytes; 0 for directories.') size: number;
  @Instant('') lastModified: Timestamp;
  @Bool('') isHidden: boolean;
  @Bool('') canRead: boolean;
  @Bool('') canWrite: boolean;
  @Bool('') hasSubfolders: boolean;
}

export class DeviceDirectoryContentsRequestDto {
  @Guid('') deviceId: string;
  @Text('', { max: MAX_PATH_LENGTH }) directoryPath: string;
}

export class DeviceDirectoryContentsResponseDto {
  @Bool('') directoryExists: boolean;
  @ListOf('', () => DeviceFileSystemEntryDto) items: DeviceFileSystemEntryDto[];
}

export class DeviceSubdirectoriesRequestDto {
  @Guid('') deviceId: string;
  @Text('', { max: MAX_PATH_LENGTH }) directoryPath: string;
}

export class DeviceSubdirectoriesResponseDto {
  @ListOf('', () => DeviceFileSystemEntryDto) subdirectories: DeviceFileSystemEntryDto[];
}

export class DevicePathSegmentsRequestDto {
  @Guid('') deviceId: string;
  @Text('', { max: MAX_PATH_LENGTH }) targetPath: string;
}

export class DevicePathSegmentsResponseDto {
  @Text('', { nullable: true }) errorMessage: string | null;
  @Bool('') pathExists: boolean;
  @TextList('', { maxLength: MAX_PATH_LENGTH }) pathSegments: string[];
  @Text('') pathSeparator: string;
  @Bool('') success: boolean;
}

export class DeviceRootDrivesRequestDto {
  @Guid('') deviceId: string;
}

export class DeviceRootDrivesResponseDto {
  @ListOf('', () => DeviceFileSystemEntryDto) drives: DeviceFileSystemEntryDto[];
}

export class ValidateDeviceFilePathRequestDto {
  @Text('', { max: MAX_PATH_LENGTH, notBlank: true }) directoryPath: string;
  @Text('', { max: MAX_NAME_LENGTH, notBlank: true }) fileName: string;
}

export class DeviceFilePathValidationResponseDto {
  @Bool('') isValid: boolean;
  @Text('Empty when the path is valid.') errorMessage: string;
}

export class CreateDeviceDirectoryRequestDto {
  @Text('', { max: MAX_PATH_LENGTH, notBlank: true }) parentPath: string;
  @Text('', { max: MAX_NAME_LENGTH, notBlank: true }) directoryName: string;
}

export class DeleteDevicePathRequestDto {
  @Text('', { max: MAX_PATH_LENGTH, notBlank: true }) filePath: string;
}

export class DevicePathDeletionResponseDto {
  @Text('') message: string;
  @Text('') filePath: string;
}

export class DownloadDeviceArchiveRequestDto {
  @Text('Gets .zip when it does not end so.', { max: MAX_NAME_LENGTH, notBlank: true }) archiveFileName: string;
  @TextList('', { min: 1, max: MAX_ARCHIVE_PATHS, maxLength: MAX_PATH_LENGTH }) targetPaths: string[];
}

/** The query of the routes that name a file of the device. */
export class DeviceFileQueryDto {
  @Text('', { max: MAX_PATH_LENGTH, notBlank: true }) filePath: string;
}

export class DeviceFileUploadResponseDto {
  @Text('') message: string;
  @Text('') fileName: string;
}

export class DeviceLogFileEntryDto {
  @Text('') fileName: string;
  @Text('') fullPath: string;
  @Long('') size: number;
  @Instant('') lastModified: Timestamp;
}

export class DeviceLogFileGroupDto {
  @Text('') groupName: string;
  @ListOf('', () => DeviceLogFileEntryDto) logFiles: DeviceLogFileEntryDto[];
}

export class DeviceLogFileListResponseDto {
  @ListOf('', () => DeviceLogFileGroupDto) logFileGroups: DeviceLogFileGroupDto[];
}
