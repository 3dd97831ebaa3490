import { join } from 'node:path';

import { Inject, Injectable, Optional } from '@nestjs/common';

import type { RequestContext } from '../../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../../access/authorization/change-log/change-log.js';
import { conflict, DomainError, messageOf, notFound } from '../../../platform/common/errors/errors.js';
import { Settings } from '../../../platform/config/settings.js';
import { UnitOfWork } from '../../../platform/database/queries/unit-of-work.js';
import { NAMED_NODES, type NamedNodes } from '../../../platform/node/at-named-node.js';
import { backupFolder, BackupKind, backupsIn, type FoundBackup } from './backup-files.js';
import { BackupRunsRepository, type Verification } from './backup-runs.repository.js';
import { BackupFailure, Backups } from './backups.js';
import { runsOf, startedSince, unfinishedIn } from './run-outcomes.js';
import { NightlyBackup } from './nightly-backup.js';
import {
  BackupCheck,
  type BackupFileDto,
  type BackupRunDto,
  BackupTask,
  type BackupTaskDto,
  type ServerBackupsResponseDto,
} from './server-backups.dto.js';

/** Files that an answer lists. */
const MAXIMUM_FILES = 500;

/** The backups of the server for its administrators. */
@Injectable()
export class ServerBackups {
  constructor(
    private readonly settings: Settings,
    private readonly backups: Backups,
    private readonly nightly: NightlyBackup,
    private readonly runs: BackupRunsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly changeLog: ChangeLog,
    @Optional() @Inject(NAMED_NODES) private readonly nodes: NamedNodes | null = null,
  ) {}

  async list(): Promise<ServerBackupsResponseDto> {
    const { keep, recipients } = this.settings.backup;
    const folder = backupFolder(this.settings);
    // Before the results: a reader who is told that nothing runs has the result of what ran, and asks no more.
    const before = this.running();
    const { files, fault } = await this.filesIn(folder);
    const [runs, nextAt, node] = await Promise.all([this.lastRuns(), this.nightly.nextAt(), this.nodes?.ownName() ?? null]);
    const running = before ?? this.running();
    return {
      node,
      folder,
      folderFault: fault,
      nextAt,
      keep,
      isEncrypted: recipients.length > 0,
      running,
      runs,
      files,
    };
  }

  /** Begins a backup and answers when it has begun. 409 while other work on backups runs, or when it cannot begin. */
  async begin(context: RequestContext): Promise<ServerBackupsResponseDto> {
    await new Promise<void>((resolve, reject) => {
      const begun = async (): Promise<void> => {
        await this.write(context, 'server-backup-requested', {});
        resolve();
      };
      this.backups.make(BackupKind.Manual, begun).then(
        () => resolve(),
        // Once it has begun, the caller has its answer, and the list has the failure.
        (error: unknown) => reject(refusalOf(error)),
      );
    });
    return this.list();
  }

  /** Begins to verify a file. 404 for one that is not in the folder, 409 for an encrypted one and while other work on backups runs. */
  async verify(context: RequestContext, name: string): Promise<ServerBackupsResponseDto> {
    const file = (await backupsIn(backupFolder(this.settings))).find((found) => found.name === name);
    if (file === undefined) throw notFound('The backup');
    if (file.isEncrypted) throw conflict('The backup is encrypted. Verify it where its identity is: npm run restore -- --verify.');
    this.backups.requireIdle();
    await this.write(context, 'server-backup-verified', { file: name });
    this.backups.verify(file);
    return this.list();
  }

  /** The last runs. One without an outcome is under way, here or at another node, as long as a process holds the lock of backups. */
  private async lastRuns(): Promise<BackupRunDto[]> {
    const read = await this.runs.last();
    const unfinished = unfinishedIn(read);
    if (unfinished === undefined || (await this.runs.isUnderWay())) return runsOf(read, unfinished);
    // The lock was free: a run that still has no outcome has died, unless it has begun since then.
    const again = await this.runs.last();
    return runsOf(again, startedSince(read, again));
  }

  private running(): BackupTaskDto | null {
    const { current } = this.backups;
    return current === null ? null : { task: BackupTask[current.work], file: current.file, startedAt: current.startedAt };
  }

  private async filesIn(folder: string): Promise<{ readonly files: BackupFileDto[]; readonly fault: string | null }> {
    try {
      const found = (await backupsIn(folder)).slice(0, MAXIMUM_FILES);
      const verifications = await this.runs.verificationsOf(found.map(({ name }) => name));
      const results = new Map(verifications.map((verification) => [verification.file, verification]));
      return { files: found.map((file) => fileOf(folder, file, results.get(file.name))), fault: null };
    } catch (error) {
      return { files: [], fault: messageOf(error) };
    }
  }

  private async write(context: RequestContext, action: string, after: object): Promise<void> {
    await this.unitOfWork.run(context, (tx) =>
      this.changeLog.write(tx, { action, target: ChangeTarget.ServerBackup, targetId: null, tenantId: null, after }),
    );
  }
}

/** The answer for a backup that has not begun. */
function refusalOf(error: unknown): Error {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof DomainError) return cause;
  if (error instanceof BackupFailure) return conflict(error.message);
  return error instanceof Error ? error : new Error(messageOf(error));
}

function fileOf(folder: string, file: FoundBackup, verification: Verification | undefined): BackupFileDto {
  const { failure = null, verifiedAt = null } = verification ?? {};
  return { ...file, path: join(folder, file.name), check: checkOf(file, verification), verifiedAt, fault: failure };
}

function checkOf({ isEncrypted }: FoundBackup, verification: Verification | undefined): BackupCheck {
  if (isEncrypted) return BackupCheck.Encrypted;
  if (verification === undefined) return BackupCheck.NotVerified;
  return verification.failure === null ? BackupCheck.Whole : BackupCheck.Damaged;
}
