import type { MailContent } from '../mail-message.js';
import type { Letterhead } from './layout/letter.js';
import { moment } from './layout/moment.js';
import { written } from './layout/written-letter.js';

export interface FailedBackup {
  /** Sentence for the operator. */
  readonly reason: string;
  readonly at: Date;
  /** The page of backups. */
  readonly link: string;
}

/** To an administrator of the server. Its caller sends it once, until a backup succeeds. */
export function backupFailed(letterhead: Letterhead, { reason, at, link }: FailedBackup): MailContent {
  return written(letterhead, {
    subject: 'The nightly backup failed',
    preview: 'The server tries again every hour.',
    title: 'The nightly backup failed',
    before: ['The server could not make its nightly backup, and tries again every hour. Earlier backups are still there.', reason],
    facts: [['Time', moment(at)]],
    action: { label: 'View backups', link },
    after: ['You get this e-mail because you can change the settings of the server. The next one comes only after a backup has succeeded.'],
  });
}
