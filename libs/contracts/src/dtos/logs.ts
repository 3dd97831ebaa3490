import { arrayOf, record } from '../wire/composites.js';
import { MAX_NAME_LENGTH, MAX_PATH_LENGTH } from '../wire/limits.js';
import { guid, int64, text, timestamp } from '../wire/primitives.js';
import type { Infer } from '../wire/wire-type.js';

export const StreamFileContentsRequestHubDto = record('StreamFileContentsRequestHubDto', {
  streamId: guid,
  filePath: text(MAX_PATH_LENGTH),
});
export type StreamFileContentsRequestHubDto = Infer<typeof StreamFileContentsRequestHubDto>;

export const LogFileEntryDto = record('LogFileEntryDto', {
  fileName: text(MAX_NAME_LENGTH),
  fullPath: text(MAX_PATH_LENGTH),
  size: int64,
  lastModified: timestamp,
});
export type LogFileEntryDto = Infer<typeof LogFileEntryDto>;

export const LogFileGroupDto = record('LogFileGroupDto', {
  groupName: text(MAX_NAME_LENGTH),
  logFiles: arrayOf(LogFileEntryDto),
});
export type LogFileGroupDto = Infer<typeof LogFileGroupDto>;

export const GetLogFilesResponseDto = record('GetLogFilesResponseDto', {
  logFileGroups: arrayOf(LogFileGroupDto),
});
export type GetLogFilesResponseDto = Infer<typeof GetLogFilesResponseDto>;
