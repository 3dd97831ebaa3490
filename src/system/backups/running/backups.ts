import { join } from 'node:path';

import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';

import { conflict, messageOf } from '../../../platform/common/errors/errors.js';
import { Clock } from '../../../platform/common/runtime/clock.js';
import { Settings } from '../../../platform/config/settings.js';
import { DatabaseConnection } from '../../../platform/database/connection/database-connection.js';
import { verifyBackup } from '../verify-backup.js';
import { backupFolder, backupName, type BackupKind, type NamedBackup, removeOutdated, removeUnfinished } from './backup-files.js';
import { BackupRunsRepository } from './backup-runs.repository.js';
import { writeBackupInThread } from './backup-thread.js';
import { removeLeftovers } from './leftovers.js';
import { restOf } from './rests.js';

/** A backup or a verification under way in this process. */
export interface BackupWork {
  readonly work: 'Backup' | 'Verification';
  /** The file that is verified; null for a backup. */
  readonly file: string | null;
  readonly startedAt: Date;
}

/** A backup that was made. */
export interface MadeBackup {
  readonly file: string;
  /** In bytes. */
  readonly size: number;
}

/** A backup that failed; `id` is null for one that was refused before it began. */
export class BackupFailure extends Error {
  override readonly name = 'BackupFailure';

  constructor(
    readonly id: string | null,
    /** True if the service is stopping. */
    readonly isStop: boolean,
    cause: unknown,
  ) {
    super(messageOf(cause), { cause });
  }
}

/** Makes and verifies backups in this process, one at a time. Another process would need more memory than all that a backup needs here. */
@Injectable()
export class Backups implements BeforeApplicationShutdown, OnApplicationBootstrap {
  private readonly logger = new Logger('Backups');
  private readonly stopped = new AbortController();
  private cleaned: Promise<void> = Promise.resolve();
  private underWay: (BackupWork & { readonly done: Promise<unknown> }) | null = null;

  constructor(
    private readonly settings: Settings,
    private readonly database: DatabaseConnection,
    private readonly runs: BackupRunsRepository,
    private readonly clock: Clock,
  ) {}

  /** The work under way; null for none. */
  get current(): BackupWork | null {
    return this.underWay;
  }

  /** @throws DomainError (409) while this process has work */
  requireIdle(): void {
    if (this.underWay === null) return;
    throw conflict(`A ${this.underWay.work === 'Backup' ? 'backup' : 'verification'} is running. Wait until it has ended.`);
  }

  /** Removes the half files of a killed process in the background. */
  onApplicationBootstrap(): void {
    this.cleaned = this.removeLeftovers();
  }

  /** Ends the work under way. No file with a name is left of it. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await this.underWay?.done.catch(() => undefined);
    await this.cleaned;
  }

  /**
   * Makes a backup and then removes those that are too many.
   * @param onTurn is called when the backup has begun; what it throws ends the backup
   * @throws DomainError (409) while this process has other work, BackupFailure
   */
  make(kind: BackupKind, onTurn?: () => Promise<void>): Promise<MadeBackup> {
    return this.alone({ work: 'Backup', file: null, startedAt: this.clock.now() }, async ({ startedAt }) => {
      const made = await this.write(kind, startedAt, onTurn);
      this.logger.log({ message: 'A backup is complete.', kind, file: made.file, bytes: made.size, durationMs: this.sinceMs(startedAt) });
      return made;
    });
  }

  /** Reads a backup to its end in the background, and stores the result. @throws DomainError (409) while this process has other work */
  verify(file: NamedBackup): void {
    this.requireIdle();
    const work = this.alone({ work: 'Verification', file: file.name, startedAt: this.clock.now() }, async () => {
      const failure = await this.faultOf(file.name);
      this.stopped.signal.throwIfAborted();
      await this.runs.verified(file, this.clock.now(), failure);
      if (failure === null) this.logger.log({ message: 'A backup was verified.', file: file.name });
      else this.logger.error({ message: 'A backup is damaged.', file: file.name, reason: failure });
    });
    work.catch((error: unknown) => {
      if (!this.stopped.signal.aborted) this.logger.error({ message: 'A verification failed.', file: file.name, reason: messageOf(error) });
    });
  }

  private async write(kind: BackupKind, startedAt: Date, onTurn?: () => Promise<void>): Promise<MadeBackup> {
    const { signal } = this.stopped;
    const { recipients, keep } = this.settings.backup;
    const folder = backupFolder(this.settings);
    const file = backupName(kind, startedAt, recipients.length > 0);
    const begun: { id: string | null } = { id: null };
    try {
      const { size } = await writeBackupInThread({
        database: this.database.config,
        dataPath: this.settings.dataPath,
        file: join(folder, file),
        recipients,
        signal,
        onTurn: async () => {
          begun.id = await this.runs.begin(kind, startedAt);
          await onTurn?.();
          await removeUnfinished(folder);
        },
        // As long as the lock of backups is held: others take a run without an outcome for interrupted once it is free.
        onFinished: async (finished) => {
          if (begun.id !== null) await this.runs.succeeded(begun.id, this.clock.now(), file, finished.size);
        },
      });
      await this.removeOld(folder, keep);
      return { file, size };
    } catch (error) {
      const failure = new BackupFailure(begun.id, signal.aborted, error);
      this.logger.error({ message: 'A backup failed.', kind, reason: failure.message });
      if (begun.id !== null)
        await this.runs.failed(begun.id, this.clock.now(), failure.message).catch((lost: unknown) => this.unstored(lost));
      throw failure;
    }
  }

  private async removeLeftovers(): Promise<void> {
    try {
      const removed = await removeLeftovers(this.database.config, backupFolder(this.settings));
      if (removed.length > 0) this.logger.log({ message: 'Unfinished backups were removed.', count: removed.length });
    } catch (error) {
      this.logger.warn({ message: 'Unfinished backups could not be removed.', reason: messageOf(error) });
    }
  }

  private async removeOld(folder: string, keep: number): Promise<void> {
    try {
      const removed = await removeOutdated(folder, keep);
      if (removed.length > 0) this.logger.log({ message: 'Old backups were removed.', count: removed.length });
    } catch (error) {
      this.logger.warn({ message: 'Old backups could not be removed.', reason: messageOf(error) });
    }
  }

  /** The fault of a file; null for one that is whole. */
  private async faultOf(name: string): Promise<string | null> {
    const { signal } = this.stopped;
    const rest = restOf(signal);
    const read = async (content: AsyncIterable<Buffer>): Promise<void> => {
      for await (const chunk of content) if (chunk.length > 0) signal.throwIfAborted();
      await rest();
    };
    const visitor = {
      table: (_: string, content: AsyncIterable<Buffer>) => read(content),
      file: (_: string, content: AsyncIterable<Buffer>) => read(content),
    };
    try {
      await verifyBackup({ path: join(backupFolder(this.settings), name), identities: [] }, visitor);
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }

  private async alone<T>(work: BackupWork, run: (work: BackupWork) => Promise<T>): Promise<T> {
    this.requireIdle();
    const done = run(work);
    this.underWay = { ...work, done };
    try {
      return await done;
    } finally {
      this.underWay = null;
    }
  }

  private unstored(error: unknown): void {
    this.logger.warn({ message: 'The outcome of a backup could not be stored.', reason: messageOf(error) });
  }

  private sinceMs(moment: Date): number {
    return this.clock.milliseconds() - moment.getTime();
  }
}
