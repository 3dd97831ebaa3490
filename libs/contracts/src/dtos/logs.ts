import { arrayOf, record } from '../wire/composites.js';
import { MAX_NAME_LENGTH, MAX_PATH_LENGTH } from '../wire/limits.js';
import { guid, int64, text, timestamp } from '../wire/primitives.js';
import type { Infer } from '../wire/wire-type.js';

export const StreamFileContentsRequestHubDto = record(
  'StreamFileContentsRequestHubDto',
  'A log file that an agent is to send.',
  {
    streamId: guid,
    filePath: text(MAX_PATH_LENGTH),
  },
  {
    streamId: 'The id with which the agent opens its stream.',
    filePath: 'One of the files that `GetLogFiles` names.',
  },
);
export type StreamFileContentsRequestHubDto = Infer<typeof StreamFileContentsRequestHubDto>;

export const LogFileEntryDto = record(
  'LogFileEntryDto',
  'A log file on a device.',
  {
    fileName: text(MAX_NAME_LENGTH),
    fullPath: text(MAX_PATH_LENGTH),
    size: int64,
    lastModified: timestamp,
  },
  {
    size: 'In bytes.',
  },
);
export type LogFileEntryDto = Infer<typeof LogFileEntryDto>;

export const LogFileGroupDto = record('LogFileGroupDto', 'Log files of one program.', {
  groupName: text(MAX_NAME_LENGTH),
  logFiles: arrayOf(LogFileEntryDto),
});
export type LogFileGroupDto = Infer<typeof LogFileGroupDto>;

export const GetLogFilesResponseDto = record('GetLogFilesResponseDto', 'The log files that an agent can send.', {
  logFileGroups: arrayOf(LogFileGroupDto),
});
export type GetLogFilesResponseDto = Infer<typeof GetLogFilesResponseDto>;
