import { arrayOf, nullable, record } from '../wire/composites.js';
import { MAX_NAME_LENGTH, MAX_PATH_LENGTH, MAX_TEXT_LENGTH } from '../wire/limits.js';
import { bool, guid, int64, text, timestamp } from '../wire/primitives.js';
import type { Infer } from '../wire/wire-type.js';

export const FileSystemEntryDto = record('FileSystemEntryDto', {
  name: text(MAX_NAME_LENGTH),
  fullPath: text(MAX_PATH_LENGTH),
  isDirectory: bool,
  size: int64,
  lastModified: timestamp,
  isHidden: bool,
  canRead: bool,
  canWrite: bool,
  hasSubfolders: bool,
});
export type FileSystemEntryDto = Infer<typeof FileSystemEntryDto>;

export const FileUploadMetadata = record('FileUploadMetadata', {
  deviceId: guid,
  targetDirectory: text(MAX_PATH_LENGTH),
  fileName: text(MAX_NAME_LENGTH),
  fileSize: int64,
  contentType: text(MAX_NAME_LENGTH),
  overwrite: bool,
});
export type FileUploadMetadata = Infer<typeof FileUploadMetadata>;

export const FileUploadHubDto = record('FileUploadHubDto', {
  streamId: guid,
  targetDirectoryPath: text(MAX_PATH_LENGTH),
  fileName: text(MAX_NAME_LENGTH),
  fileSize: int64,
  overwrite: bool,
});
export type FileUploadHubDto = Infer<typeof FileUploadHubDto>;

export const FileDownloadHubDto = record('FileDownloadHubDto', {
  streamId: guid,
  filePath: text(MAX_PATH_LENGTH),
});
export type FileDownloadHubDto = Infer<typeof FileDownloadHubDto>;

export const FileArchiveDownloadHubDto = record('FileArchiveDownloadHubDto', {
  streamId: guid,
  archiveFileName: text(MAX_NAME_LENGTH),
  targetPaths: arrayOf(text(MAX_PATH_LENGTH)),
});
export type FileArchiveDownloadHubDto = Infer<typeof FileArchiveDownloadHubDto>;

export const FileDownloadResponseHubDto = record('FileDownloadResponseHubDto', {
  fileSize: int64,
  fileDisplayName: text(MAX_NAME_LENGTH),
});
export type FileDownloadResponseHubDto = Infer<typeof FileDownloadResponseHubDto>;

export const FileDeleteHubDto = record('FileDeleteHubDto', {
  targetPath: text(MAX_PATH_LENGTH),
});
export type FileDeleteHubDto = Infer<typeof FileDeleteHubDto>;

export const CreateDirectoryHubDto = record('CreateDirectoryHubDto', {
  parentPath: text(MAX_PATH_LENGTH),
  directoryName: text(MAX_NAME_LENGTH),
});
export type CreateDirectoryHubDto = Infer<typeof CreateDirectoryHubDto>;

export const ValidateFilePathHubDto = record('ValidateFilePathHubDto', {
  directoryPath: text(MAX_PATH_LENGTH),
  fileName: text(MAX_NAME_LENGTH),
});
export type ValidateFilePathHubDto = Infer<typeof ValidateFilePathHubDto>;

export const ValidateFilePathResponseDto = record('ValidateFilePathResponseDto', {
  isValid: bool,
  errorMessage: text(MAX_TEXT_LENGTH),
});
export type ValidateFilePathResponseDto = Infer<typeof ValidateFilePathResponseDto>;

export const GetPathSegmentsHubDto = record('GetPathSegmentsHubDto', {
  targetPath: text(MAX_PATH_LENGTH),
});
export type GetPathSegmentsHubDto = Infer<typeof GetPathSegmentsHubDto>;

export const PathSegmentsResponseDto = record('PathSegmentsResponseDto', {
  errorMessage: nullable(text(MAX_TEXT_LENGTH)),
  pathExists: bool,
  pathSegments: arrayOf(text(MAX_PATH_LENGTH)),
  pathSeparator: text(MAX_PATH_LENGTH),
  success: bool,
});
export type PathSegmentsResponseDto = Infer<typeof PathSegmentsResponseDto>;

export const GetRootDrivesRequestDto = record('GetRootDrivesRequestDto', {
  deviceId: guid,
});
export type GetRootDrivesRequestDto = Infer<typeof GetRootDrivesRequestDto>;

export const GetRootDrivesResponseDto = record('GetRootDrivesResponseDto', {
  drives: arrayOf(FileSystemEntryDto),
});
export type GetRootDrivesResponseDto = Infer<typeof GetRootDrivesResponseDto>;

export const DirectoryContentsStreamRequestHubDto = record('DirectoryContentsStreamRequestHubDto', {
  streamId: guid,
  deviceId: guid,
  directoryPath: text(MAX_PATH_LENGTH),
});
export type DirectoryContentsStreamRequestHubDto = Infer<typeof DirectoryContentsStreamRequestHubDto>;

export const SubdirectoriesStreamRequestHubDto = record('SubdirectoriesStreamRequestHubDto', {
  streamId: guid,
  deviceId: guid,
  directoryPath: text(MAX_PATH_LENGTH),
});
export type SubdirectoriesStreamRequestHubDto = Infer<typeof SubdirectoriesStreamRequestHubDto>;
