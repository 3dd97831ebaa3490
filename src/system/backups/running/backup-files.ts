import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { hasCode } from '../../../platform/common/errors/system-error.js';
import type { Settings } from '../../../platform/config/settings.js';
import { UNFINISHED } from '../archive-writer.js';

/** Reason for a backup of the service. */
export enum BackupKind {
  Nightly = 'Nightly',
  Manual = 'Manual',
  Upgrade = 'Upgrade',
}

/** A name that the service gives: the time is in UTC, so that names sort by it whatever clocks do. */
const NAME = /^(nightly|manual|upgrade)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup(\.age)?$/;
const KINDS: Readonly<Record<string, BackupKind>> = {
  nightly: BackupKind.Nightly,
  manual: BackupKind.Manual,
  upgrade: BackupKind.Upgrade,
};

/** The facts in the name of a backup. */
export interface NamedBackup {
  readonly name: string;
  readonly kind: BackupKind;
  readonly startedAt: Date;
  readonly isEncrypted: boolean;
}

/** A backup in the folder. */
export interface FoundBackup extends NamedBackup {
  /** In bytes. */
  readonly size: number;
}

/** The folder of the service's own backups. */
export function backupFolder({ backup, dataPath }: Pick<Settings, 'backup' | 'dataPath'>): string {
  return backup.folder === '' ? join(dataPath, 'backups') : backup.folder;
}

/** Name of a backup that begins now. */
export function backupName(kind: BackupKind, startedAt: Date, isEncrypted: boolean): string {
  const time = startedAt.toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '');
  return `${kind.toLowerCase()}-${time}.backup${isEncrypted ? '.age' : ''}`;
}

/** Reads a name; null for one that the service did not give. */
export function parseBackupName(name: string): NamedBackup | null {
  const [, kind = '', year, month, day, hour, minute, second, encrypted] = NAME.exec(name) ?? [];
  const startedAt = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  const known = KINDS[kind];
  if (known === undefined || Number.isNaN(startedAt.getTime())) return null;
  return { name, kind: known, startedAt, isEncrypted: encrypted !== undefined };
}

/** The backups that are too many: of each kind all but the newest. Files with other names are not the service's. */
export function outdatedBackups(names: readonly string[], keep: number): readonly string[] {
  return Object.values(BackupKind).flatMap((kind) => {
    const own = names.map(parseBackupName).filter((named) => named?.kind === kind);
    const newestFirst = own.sort((one, other) => Number(other?.startedAt) - Number(one?.startedAt));
    return newestFirst.slice(keep).flatMap((named) => (named === null ? [] : [named.name]));
  });
}

/** The service's backups in a folder, newest first; none where there is no folder yet. */
export async function backupsIn(folder: string): Promise<readonly FoundBackup[]> {
  const found: FoundBackup[] = [];
  for (const name of await namesIn(folder)) {
    const named = parseBackupName(name);
    const file = named === null ? null : await stat(join(folder, name)).catch(ifMissing);
    if (named !== null && file?.isFile() === true) found.push({ ...named, size: file.size });
  }
  return found.sort((one, other) => Number(other.startedAt) - Number(one.startedAt));
}

/** Removes the backups that are too many. Returns their names. */
export async function removeOutdated(folder: string, keep: number): Promise<readonly string[]> {
  const outdated = outdatedBackups(await namesIn(folder), keep);
  for (const name of outdated) await rm(join(folder, name), { force: true });
  return outdated;
}

/** Names of the files that are being written, or that processes which died have left. */
export async function unfinishedIn(folder: string): Promise<readonly string[]> {
  const names = await namesIn(folder);
  return names.filter((name) => name.endsWith(UNFINISHED) && parseBackupName(name.slice(0, -UNFINISHED.length)) !== null);
}

/** Removes these files, and returns their names. The caller has the turn to write a backup, so that nobody writes them. */
export async function removeUnfinished(folder: string): Promise<readonly string[]> {
  const unfinished = await unfinishedIn(folder);
  for (const name of unfinished) await rm(join(folder, name), { force: true });
  return unfinished;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(ifMissing)) ?? [];
}

function ifMissing(error: unknown): null {
  if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
  throw error;
}
