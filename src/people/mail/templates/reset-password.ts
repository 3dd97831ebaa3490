import type { MailContent } from '../mail-message.js';
import type { Letterhead } from './layout/letter.js';
import { written } from './layout/written-letter.js';
import { moment } from './layout/moment.js';
import { shownName } from './layout/shown-name.js';

export interface ResetPassword {
  /** The user name or e-mail address of the account. */
  readonly account: string;
  readonly link: string;
  readonly validUntil: Date;
}

/** To a user who has forgotten the password. */
export function resetPassword(letterhead: Letterhead, { account, link, validUntil }: ResetPassword): MailContent {
  return written(letterhead, {
    subject: 'Choose a new password',
    preview: `You can choose a new password until ${moment(validUntil)}.`,
    title: 'Choose a new password',
    before: [`Someone asked for a new password for the account ${shownName(account)}. If this was you, choose one here.`],
    action: { label: 'Choose a new password', link },
    after: [
      `The link works once, until ${moment(validUntil)}.`,
      "If this wasn't you, ignore this e-mail: the password stays as it is. Don't pass on the link. Anyone who has it can take over the account.",
    ],
  });
}
