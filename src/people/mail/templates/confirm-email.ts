import type { MailContent } from '../mail-message.js';
import type { Letterhead } from './layout/letter.js';
import { written } from './layout/written-letter.js';
import { moment } from './layout/moment.js';
import { shownName } from './layout/shown-name.js';

export interface ConfirmEmail {
  /** The address that is to be confirmed, to which the mail goes. */
  readonly email: string;
  readonly link: string;
  readonly validUntil: Date;
}

/** To a newly registered user, who confirms with it that the address is theirs. */
export function confirmEmail(letterhead: Letterhead, { email, link, validUntil }: ConfirmEmail): MailContent {
  return written(letterhead, {
    subject: 'Confirm your e-mail address',
    preview: `Confirm your address by ${moment(validUntil)}.`,
    title: 'Confirm your e-mail address',
    before: [`An account was created with the address ${shownName(email)}. Confirm that this address is yours.`],
    action: { label: 'Confirm address', link },
    after: [
      `The link works once, until ${moment(validUntil)}.`,
      "If you didn't register, ignore this e-mail. The address then stays unconfirmed.",
    ],
  });
}
