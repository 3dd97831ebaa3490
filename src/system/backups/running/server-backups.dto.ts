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
  NotVerified: 'it has not been verified on this server',
  Whole: 'everything in it is as its manifest says',
  Damaged: '`fault` says what is wrong',
  Encrypted: 'the service has no identity to open it: verify it with `npm run restore`',
});
const OUTCOME = namesOf('BackupOutcome', BackupOutcome, {
  Running: 'it is being made, by this node or another one',
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
  @EnumName('Occasion of the backup.', KIND) kind: BackupKind;
  @Instant('Start of the backup, which holds the state of this time.') startedAt: Date;
  @Long('Size of the file in bytes.') size: number;
  @Bool('True if it is encrypted.') isEncrypted: boolean;
  @EnumName('Result of the verification on this server.', CHECK) check: BackupCheck;
  @Instant('Time of the last verification on this server; null if there was none.', { nullable: true }) verifiedAt: Date | null;
  @Text('Fault of the backup; null if none is known.', { nullable: true, example: 'The table users differs from the manifest.' })
  fault: string | null;
}

export class BackupRunDto {
  @EnumName('Occasion of the backup.', KIND) kind: BackupKind;
  @Instant('Start of the run.') startedAt: Date;
  @Instant('End of the run; null while it runs.', { nullable: true }) finishedAt: Date | null;
  @EnumName('Outcome of the run.', OUTCOME) outcome: BackupOutcome;
  @Text('Name of its file; null without one.', { nullable: true, example: EXAMPLE_NAME }) file: string | null;
  @Text('Reason of the failure; null if the run did not fail.', {
    nullable: true,
    example: 'The disk of /var/backups has 12.0 MiB free, and the backup may need 80.0 MiB. Make space, or name another folder.',
  })
  failure: string | null;
}

export class BackupTaskDto {
  @EnumName('Kind of the work.', TASK) task: BackupTask;
  @Text('Name of the file that is verified; null for a backup.', { nullable: true, example: EXAMPLE_NAME }) file: string | null;
  @Instant('Start of the work.') startedAt: Date;
}

export class ServerBackupsResponseDto {
  @Text('Address of the node that answers, for the parameter `node`: the folder is its own. Null in an installation of one node.', {
    nullable: true,
    example: '10.0.0.12:8091',
  })
  node: string | null;
  @Text('Folder of the backups on the server.', { example: EXAMPLE_FOLDER }) folder: string;
  @Text('Reason why the folder cannot be read; null if it can.', { nullable: true, example: 'EACCES: permission denied' })
  folderFault: string | null;
  @Instant('Time of the next nightly backup; null if nightly backups are off.', { nullable: true }) nextAt: Date | null;
  @Int('Backups of each kind that are kept.') keep: number;
  @Bool('True if new backups are encrypted.') isEncrypted: boolean;
  @Nested('Work that this node does; null for none. A backup of another node is in the runs as `Running`.', () => BackupTaskDto, {
    nullable: true,
  })
  running: BackupTaskDto | null;
  @ListOf('The newest 20 runs of all nodes, newest first.', () => BackupRunDto) runs: BackupRunDto[];
  @ListOf('The newest 500 backups in the folder, newest first.', () => BackupFileDto) files: BackupFileDto[];
}
