import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { GetLogFilesResponseDto, LogFileEntryDto } from '#libs/contracts';
import type { DataDirectory } from '../data-directory.js';
import { isMissing } from '../failures.js';
import { localTimestamp } from '../files/listing.js';
import { LOG_FILE_NAME } from './log-file.js';

interface LogFolder {
  readonly groupName: string;
  readonly folder: string;
}

/** The groups that viewers see. This agent has no desktop client, so there are no groups for its logs. */
function logFolders(directory: DataDirectory): LogFolder[] {
  return [
    { groupName: 'Agent Logs', folder: directory.logs },
    { groupName: 'Installer Logs', folder: directory.installerLogs },
  ];
}

/** The folders whose log files may be read from outside. */
export function readableLogFolders(directory: DataDirectory): string[] {
  return logFolders(directory).map(({ folder }) => folder);
}

/** All log files by group, newest first. */
export async function listLogFiles(directory: DataDirectory): Promise<GetLogFilesResponseDto> {
  const groups = logFolders(directory).map(async ({ groupName, folder }) => ({ groupName, logFiles: await logFilesIn(folder) }));
  return { logFileGroups: await Promise.all(groups) };
}

async function logFilesIn(folder: string): Promise<LogFileEntryDto[]> {
  const names = await namesIn(folder);
  const files = await Promise.all(names.map(async (name) => logFileAt(folder, name)));
  return files
    .filter((file) => file !== undefined)
    .sort((a, b) => b.lastModified.unixMilliseconds - a.lastModified.unixMilliseconds || (a.fileName < b.fileName ? 1 : -1));
}

/** Returns undefined if the file is gone by now, as the oldest one is when a new one begins. */
async function logFileAt(folder: string, fileName: string): Promise<LogFileEntryDto | undefined> {
  const fullPath = join(folder, fileName);
  try {
    const { size, mtimeMs } = await stat(fullPath);
    return { fileName, fullPath, size, lastModified: localTimestamp(mtimeMs) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => LOG_FILE_NAME.test(name));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
