import { arrayOf, nullable, record } from '../wire/composites.js';
import { MAX_NAME_LENGTH, MAX_PATH_LENGTH, MAX_TEXT_LENGTH } from '../wire/limits.js';
import { bool, guid, int64, text, timestamp } from '../wire/primitives.js';
import type { Infer } from '../wire/wire-type.js';

export const FileSystemEntryDto = record(
  'FileSystemEntryDto',
  'A file or a directory on a device.',
  {
    name: text(MAX_NAME_LENGTH),
    fullPath: text(MAX_PATH_LENGTH),
    isDirectory: bool,
    size: int64,
    lastModified: timestamp,
    isHidden: bool,
    canRead: bool,
    canWrite: bool,
    hasSubfolders: bool,
  },
  {
    size: 'In bytes; 0 for a directory.',
    hasSubfolders: 'True if a directory has subdirectories.',
  },
);
export type FileSystemEntryDto = Infer<typeof FileSystemEntryDto>;

export const FileUploadMetadata = record(
  'FileUploadMetadata',
  'A file that a viewer is about to upload.',
  {
    deviceId: guid,
    targetDirectory: text(MAX_PATH_LENGTH),
    fileName: text(MAX_NAME_LENGTH),
    fileSize: int64,
    contentType: text(MAX_NAME_LENGTH),
    overwrite: bool,
  },
  {
    deviceId: 'The device that gets the file.',
    targetDirectory: 'The directory on the device.',
    fileSize: 'In bytes, at most `AppOptions:MaxFileTransferSize`.',
    contentType: 'Media type; not used.',
    overwrite: 'True to replace a file of that name.',
  },
);
export type FileUploadMetadata = Infer<typeof FileUploadMetadata>;

export const FileUploadHubDto = record(
  'FileUploadHubDto',
  'A file that an agent is to fetch and write.',
  {
    streamId: guid,
    targetDirectoryPath: text(MAX_PATH_LENGTH),
    fileName: text(MAX_NAME_LENGTH),
    fileSize: int64,
    overwrite: bool,
  },
  {
    streamId: 'The id with which the agent fetches the bytes.',
    fileSize: 'In bytes.',
    overwrite: 'True to replace a file of that name.',
  },
);
export type FileUploadHubDto = Infer<typeof FileUploadHubDto>;

export const FileDownloadHubDto = record(
  'FileDownloadHubDto',
  'A file or directory that an agent is to send.',
  {
    streamId: guid,
    filePath: text(MAX_PATH_LENGTH),
  },
  {
    streamId: 'The id with which the agent opens its stream.',
    filePath: 'A directory is sent as a ZIP archive.',
  },
);
export type FileDownloadHubDto = Infer<typeof FileDownloadHubDto>;

export const FileArchiveDownloadHubDto = record(
  'FileArchiveDownloadHubDto',
  'Files and directories that an agent is to send as one ZIP archive.',
  {
    streamId: guid,
    archiveFileName: text(MAX_NAME_LENGTH),
    targetPaths: arrayOf(text(MAX_PATH_LENGTH)),
  },
  {
    streamId: 'The id with which the agent opens its stream.',
  },
);
export type FileArchiveDownloadHubDto = Infer<typeof FileArchiveDownloadHubDto>;

export const FileDownloadResponseHubDto = record(
  'FileDownloadResponseHubDto',
  'The file or archive that an agent is about to send.',
  {
    fileSize: int64,
    fileDisplayName: text(MAX_NAME_LENGTH),
  },
  {
    fileSize: 'In bytes.',
    fileDisplayName: 'The name to save it under.',
  },
);
export type FileDownloadResponseHubDto = Infer<typeof FileDownloadResponseHubDto>;

export const FileDeleteHubDto = record('FileDeleteHubDto', 'A file or directory to delete, with its contents.', {
  targetPath: text(MAX_PATH_LENGTH),
});
export type FileDeleteHubDto = Infer<typeof FileDeleteHubDto>;

export const RenameFileHubDto = record(
  'RenameFileHubDto',
  'A file or directory to rename in its directory.',
  {
    targetPath: text(MAX_PATH_LENGTH),
    newName: text(MAX_NAME_LENGTH),
  },
  {
    newName: 'A name without a path. A name that is taken is refused.',
  },
);
export type RenameFileHubDto = Infer<typeof RenameFileHubDto>;

export const CreateDirectoryHubDto = record('CreateDirectoryHubDto', 'A directory to create.', {
  parentPath: text(MAX_PATH_LENGTH),
  directoryName: text(MAX_NAME_LENGTH),
});
export type CreateDirectoryHubDto = Infer<typeof CreateDirectoryHubDto>;

export const ValidateFilePathHubDto = record('ValidateFilePathHubDto', 'A file name to check before an upload.', {
  directoryPath: text(MAX_PATH_LENGTH),
  fileName: text(MAX_NAME_LENGTH),
});
export type ValidateFilePathHubDto = Infer<typeof ValidateFilePathHubDto>;

export const ValidateFilePathResponseDto = record(
  'ValidateFilePathResponseDto',
  'The answer if a file can be written under a name.',
  {
    isValid: bool,
    errorMessage: text(MAX_TEXT_LENGTH),
  },
  {
    errorMessage: 'The reason if it cannot; else empty.',
  },
);
export type ValidateFilePathResponseDto = Infer<typeof ValidateFilePathResponseDto>;

export const GetPathSegmentsHubDto = record('GetPathSegmentsHubDto', 'A path to split.', {
  targetPath: text(MAX_PATH_LENGTH),
});
export type GetPathSegmentsHubDto = Infer<typeof GetPathSegmentsHubDto>;

export const PathSegmentsResponseDto = record(
  'PathSegmentsResponseDto',
  'The parts of a path, from the root down.',
  {
    errorMessage: nullable(text(MAX_TEXT_LENGTH)),
    pathExists: bool,
    pathSegments: arrayOf(text(MAX_PATH_LENGTH)),
    pathSeparator: text(MAX_PATH_LENGTH),
    success: bool,
  },
  {
    errorMessage: 'The reason if the path could not be split.',
    pathSeparator: '`/` or `\\`.',
    success: 'True if the path could be split.',
  },
);
export type PathSegmentsResponseDto = Infer<typeof PathSegmentsResponseDto>;

export const GetRootDrivesRequestDto = record('GetRootDrivesRequestDto', 'Asks for the roots of the file system.', {
  deviceId: guid,
});
export type GetRootDrivesRequestDto = Infer<typeof GetRootDrivesRequestDto>;

export const GetRootDrivesResponseDto = record(
  'GetRootDrivesResponseDto',
  'The roots of the file system: drives on Windows, `/` and mounted disks elsewhere.',
  {
    drives: arrayOf(FileSystemEntryDto),
  },
);
export type GetRootDrivesResponseDto = Infer<typeof GetRootDrivesResponseDto>;

export const DirectoryContentsStreamRequestHubDto = record(
  'DirectoryContentsStreamRequestHubDto',
  'A directory whose entries an agent is to send.',
  {
    streamId: guid,
    deviceId: guid,
    directoryPath: text(MAX_PATH_LENGTH),
  },
  {
    streamId: 'The id with which the agent opens its stream.',
  },
);
export type DirectoryContentsStreamRequestHubDto = Infer<typeof DirectoryContentsStreamRequestHubDto>;

export const SubdirectoriesStreamRequestHubDto = record(
  'SubdirectoriesStreamRequestHubDto',
  'A directory whose subdirectories an agent is to send.',
  {
    streamId: guid,
    deviceId: guid,
    directoryPath: text(MAX_PATH_LENGTH),
  },
  {
    streamId: 'The id with which the agent opens its stream.',
  },
);
export type SubdirectoriesStreamRequestHubDto = Infer<typeof SubdirectoriesStreamRequestHubDto>;
