import { randomUUID } from 'node:crypto';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FileArchiveDownloadHubDto, FileDownloadHubDto, FileDownloadResponseHubDto } from '#libs/contracts';
import { RefusedError } from '../failures.js';
import { LOG_FILE_NAME } from '../logs/log-file.js';
import { writeArchive } from './archive.js';
import { fileOrDirectoryAt } from './file-system.js';
import { FIRST_LOOKS } from './first-looks.js';
import { openFile } from './open-file.js';
import type { OwnFiles } from './own-files.js';
import { absolutePath, isInside, nameProblem } from './paths.js';
import { fileContents, sizedContents, type Contents } from './reading.js';

/** Most archives that are made and sent at a time: each takes the disk and a processor. */
const MAX_ARCHIVES = 8;
let archives = 0;

const NO_LOG_FILE = 'The path is not a log file.';

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
  await FIRST_LOOKS.statusAt(path);
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
  const named = absolutePath(path);
  // Only these are looked at: other file systems may not answer.
  if (!folders.some((folder) => isInside(named, folder))) throw new RefusedError(NO_LOG_FILE);
  const resolved = await realpath(named);
  const allowed = await Promise.all(folders.map(async (folder) => realpath(folder).catch(() => undefined)));
  const isLogFile = LOG_FILE_NAME.test(basename(resolved)) && allowed.some((folder) => folder !== undefined && isInside(resolved, folder));
  if (!isLogFile) throw new RefusedError(NO_LOG_FILE);
  return outgoing(await sizedContents(await openFile(resolved)), basename(resolved));
}

/** Removes temporary archives that an earlier run left behind. */
export async function clearTemporaryFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

async function openArchive(name: string, paths: readonly string[], temporaryFolder: string, own: OwnFiles): Promise<Outgoing> {
  if (archives >= MAX_ARCHIVES) throw new RefusedError(`The device makes and sends ${MAX_ARCHIVES} archives, and takes no more.`);
  archives += 1;
  const archivePath = join(temporaryFolder, `${randomUUID()}.zip`);
  const remove = async (): Promise<void> => {
    try {
      await rm(archivePath, { force: true });
    } finally {
      archives -= 1;
    }
  };
  try {
    await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
    await writeArchive(archivePath, paths, own);
    const archive = outgoing(await sizedContents(await openFile(archivePath)), name);
    return {
      ...archive,
      async release() {
        try {
          await archive.release();
        } finally {
          await remove();
        }
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

function outgoing(contents: Contents, fileDisplayName: string): Outgoing {
  return {
    response: { fileSize: contents.size, fileDisplayName },
    chunks: () => contents.chunks(),
    release: async () => contents.close(),
  };
}
