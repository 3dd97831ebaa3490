import { randomUUID } from 'node:crypto';
import { mkdir, realpath, rm, type FileHandle } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FileArchiveDownloadHubDto, FileDownloadHubDto, FileDownloadResponseHubDto } from '#libs/contracts';
import { RefusedError } from '../failures.js';
import { LOG_FILE_NAME } from '../logs/log-file.js';
import { writeArchive } from './archive.js';
import { fileOrDirectoryAt, openFile } from './file-system.js';
import { absolutePath, isInside, nameProblem } from './paths.js';
import { fileChunks } from './reading.js';

/** An open file that is ready to be sent. `chunks` may be called once; `release` must always be called. */
export interface Outgoing {
  readonly response: FileDownloadResponseHubDto;
  chunks(): AsyncIterable<Uint8Array>;
  release(): Promise<void>;
}

/** Opens a file, or a zip of a directory named `<directory>.zip`. */
export async function openDownload(dto: FileDownloadHubDto, temporaryFolder: string): Promise<Outgoing> {
  const path = absolutePath(dto.filePath);
  const name = basename(path) || 'root';
  const stats = await fileOrDirectoryAt(path);
  if (stats.isDirectory()) return openArchive(`${name}.zip`, [path], temporaryFolder);
  return outgoing(await openFile(path), name);
}

/** Opens a zip of all paths. One missing path fails the whole archive. */
export async function openArchiveDownload(dto: FileArchiveDownloadHubDto, temporaryFolder: string): Promise<Outgoing> {
  const problem = nameProblem(dto.archiveFileName);
  if (problem !== undefined) throw new RefusedError(problem);
  if (dto.targetPaths.length === 0) throw new RefusedError('Nothing was chosen for the archive.');
  const name = dto.archiveFileName.toLowerCase().endsWith('.zip') ? dto.archiveFileName : `${dto.archiveFileName}.zip`;
  return openArchive(name, dto.targetPaths.map(absolutePath), temporaryFolder);
}

/** Opens a log file. With links resolved, it must be inside one of the log folders; any other file is refused. */
export async function openLogFile(path: string, folders: readonly string[]): Promise<Outgoing> {
  const resolved = await realpath(absolutePath(path));
  const allowed = await Promise.all(folders.map(async (folder) => realpath(folder).catch(() => undefined)));
  const isLogFile = LOG_FILE_NAME.test(basename(resolved)) && allowed.some((folder) => folder !== undefined && isInside(resolved, folder));
  if (!isLogFile) throw new RefusedError('The path is not a log file.');
  return outgoing(await openFile(resolved), basename(resolved));
}

/** Removes temporary archives that an earlier run left behind. */
export async function clearTemporaryFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

async function openArchive(name: string, paths: readonly string[], temporaryFolder: string): Promise<Outgoing> {
  await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
  const archivePath = join(temporaryFolder, `${randomUUID()}.zip`);
  let file: FileHandle;
  try {
    await writeArchive(archivePath, paths);
    file = await openFile(archivePath);
  } catch (error) {
    await rm(archivePath, { force: true });
    throw error;
  }
  const archive = await outgoing(file, name);
  return {
    ...archive,
    async release() {
      await archive.release();
      await rm(archivePath, { force: true });
    },
  };
}

async function outgoing(file: FileHandle, fileDisplayName: string): Promise<Outgoing> {
  const { size } = await file.stat();
  return {
    response: { fileSize: size, fileDisplayName },
    chunks: () => fileChunks(file, size),
    release: async () => file.close(),
  };
}
