import { EnumName, namesOf } from '../../../platform/http/binding/enum-fields.js';
import { Bool, Instant, Int, ListOf, Long, Nested, Text } from '../../../platform/http/binding/fields.js';
import { BackupKind } from './backup-files.js';

/** Result of reading a backup to its end. */
export enum BackupCheck {
  NotVerified = 'NotVerified',
  Whole = 'Whole',
  Damaged = 'Damaged',
  Encrypted = 'Encrypted',
}

/** Outcome of a backup. */
export enum BackupOutcome {
  Running = 'Running',
  Complete = 'Complete',
  Failed = 'Failed',
  Interrupted = 'Interrupted',
}

/** Work on backups that runs. */
export enum BackupTask {
  Backup = 'Backup',
  Verification = 'Verification',
}

const KIND = namesOf('BackupKind', BackupKind, {
  Nightly: 'by the schedule',
  Manual: 'on request of an administrator',
  Upgrade: 'before an upgrade of the bundled database',
});
const CHECK = namesOf('BackupCheck', BackupCheck, {
  NotVerified: 'nobody has verified it here',
  Whole: 'everything in it is as its manifest says',
  Damaged: '`fault` says what is wrong',
  Encrypted: 'the service has no identity to open it: verify it with `npm run restore`',
});
const OUTCOME = namesOf('BackupOutcome', BackupOutcome, {
  Running: 'it is being made',
  Complete: 'there is a file',
  Failed: '`failure` says why',
  Interrupted: 'the service ended before it was complete',
});
const TASK = namesOf('BackupTask', BackupTask, { Backup: 'a backup is made', Verification: 'a file is verified' });

const EXAMPLE_NAME = 'nightly-20260921T003000Z.backup';
const EXAMPLE_FOLDER = '/var/lib/device-management/backups';

export class BackupFileDto {
  @Text('Name of the file.', { example: EXAMPLE_NAME }) name: string;
  @Text('Path of the file on the server.', { example: `${EXAMPLE_FOLDER}/${EXAMPLE_NAME}` }) path: string;
  @EnumName('Why it was made.', KIND) kind: BackupKind;
  @Instant('When it was begun: it holds the state of this moment.') startedAt: Date;
  @Long('Size of the file in bytes.') size: number;
  @Bool('True if it is encrypted.') isEncrypted: boolean;
  @EnumName('Whether it was verified here.', CHECK) check: BackupCheck;
  @Instant('When it was verified here; null if never.', { nullable: true }) verifiedAt: Date | null;
  @Text('What is wrong with it; null if nothing is known.', { nullable: true, example: 'The table users differs from the manifest.' })
  fault: string | null;
}

export class BackupRunDto {
  @EnumName('Why it was made.', KIND) kind: BackupKind;
  @Instant('When it was begun.') startedAt: Date;
  @Instant('When it ended; null while it runs.', { nullable: true }) finishedAt: Date | null;
  @EnumName('How it ended.', OUTCOME) outcome: BackupOutcome;
  @Text('Name of its file; null without one.', { nullable: true, example: EXAMPLE_NAME }) file: string | null;
  @Text('Why it failed; null if it did not.', {
    nullable: true,
    example: 'The disk of /var/backups has 12.0 MiB free, and the backup may need 80.0 MiB. Make space, or name another folder.',
  })
  failure: string | null;
}

export class BackupTaskDto {
  @EnumName('What is done.', TASK) task: BackupTask;
  @Text('Name of the file that is verified; null for a backup.', { nullable: true, example: EXAMPLE_NAME }) file: string | null;
  @Instant('Since when.') startedAt: Date;
}

export class ServerBackupsResponseDto {
  @Text('Folder of the backups on the server.', { example: EXAMPLE_FOLDER }) folder: string;
  @Text('Why the folder cannot be read; null if it can.', { nullable: true, example: 'EACCES: permission denied' })
  folderFault: string | null;
  @Instant('When the next nightly backup is due; null if they are off.', { nullable: true }) nextAt: Date | null;
  @Int('Backups of each kind that are kept.') keep: number;
  @Bool('True if new backups are encrypted.') isEncrypted: boolean;
  @Nested('Work that is under way; null for none.', () => BackupTaskDto, { nullable: true }) running: BackupTaskDto | null;
  @ListOf('The newest 20 runs, newest first.', () => BackupRunDto) runs: BackupRunDto[];
  @ListOf('The newest 500 backups in the folder, newest first.', () => BackupFileDto) files: BackupFileDto[];
}
