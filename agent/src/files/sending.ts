import { randomUUID } from 'node:crypto';
import { mkdir, realpath, rm, type FileHandle } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FileArchiveDownloadHubDto, FileDownloadHubDto, FileDownloadResponseHubDto } from '#libs/contracts';
import { RefusedError } from '../failures.js';
import { LOG_FILE_NAME } from '../logs/log-file.js';
import { writeArchive } from './archive.js';
import { fileOrDirectoryAt } from './file-system.js';
import { openFile } from './open-file.js';
import type { OwnFiles } from './own-files.js';
import { absolutePath, isInside, nameProblem } from './paths.js';
import { fileContents, sizedContents, type Contents } from './reading.js';

/** An open file that is ready to be sent. `chunks` may be called once; `release` must always be called. */
export interface Outgoing {
  readonly response: FileDownloadResponseHubDto;
  chunks(): AsyncIterable<Uint8Array>;
  release(): Promise<void>;
}

/** Opens a file, or a zip of a directory named `<directory>.zip`. */
export async function openDownload(dto: FileDownloadHubDto, temporaryFolder: string, own: OwnFiles): Promise<Outgoing> {
  const path = absolutePath(dto.filePath);
  const name = basename(path) || 'root';
  const stats = await fileOrDirectoryAt(path);
  await own.refuseReading(path);
  if (stats.isDirectory()) return openArchive(`${name}.zip`, [path], temporaryFolder, own);
  return outgoing(await fileContents(await own.open(path), temporaryFolder), name);
}

/** Opens a zip of all paths. One missing path fails the whole archive. */
export async function openArchiveDownload(dto: FileArchiveDownloadHubDto, temporaryFolder: string, own: OwnFiles): Promise<Outgoing> {
  const problem = nameProblem(dto.archiveFileName);
  if (problem !== undefined) throw new RefusedError(problem);
  if (dto.targetPaths.length === 0) throw new RefusedError('Nothing was chosen for the archive.');
  const name = dto.archiveFileName.toLowerCase().endsWith('.zip') ? dto.archiveFileName : `${dto.archiveFileName}.zip`;
  return openArchive(name, dto.targetPaths.map(absolutePath), temporaryFolder, own);
}

/** Opens a log file. With links resolved, it must be inside one of the log folders; any other file is refused. */
export async function openLogFile(path: string, folders: readonly string[]): Promise<Outgoing> {
  const resolved = await realpath(absolutePath(path));
  const allowed = await Promise.all(folders.map(async (folder) => realpath(folder).catch(() => undefined)));
  const isLogFile = LOG_FILE_NAME.test(basename(resolved)) && allowed.some((folder) => folder !== undefined && isInside(resolved, folder));
  if (!isLogFile) throw new RefusedError('The path is not a log file.');
  return outgoing(await sizedContents(await openFile(resolved)), basename(resolved));
}

/** Removes temporary archives that an earlier run left behind. */
export async function clearTemporaryFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

async function openArchive(name: string, paths: readonly string[], temporaryFolder: string, own: OwnFiles): Promise<Outgoing> {
  await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
  const archivePath = join(temporaryFolder, `${randomUUID()}.zip`);
  let file: FileHandle;
  try {
    await writeArchive(archivePath, paths, own);
    file = await openFile(archivePath);
  } catch (error) {
    await rm(archivePath, { force: true });
    throw error;
  }
  const archive = outgoing(await sizedContents(file), name);
  return {
    ...archive,
    async release() {
      await archive.release();
      await rm(archivePath, { force: true });
    },
  };
}

function outgoing(contents: Contents, fileDisplayName: string): Outgoing {
  return {
    response: { fileSize: contents.size, fileDisplayName },
    chunks: () => contents.chunks(),
    release: async () => contents.close(),
  };
}
