import type { MailContent } from '../mail-message.js';
import type { Letterhead } from './layout/letter.js';
import { written } from './layout/written-letter.js';
import { moment } from './layout/moment.js';
import { shownName } from './layout/shown-name.js';

export interface ConfirmNewEmail {
  /** The new address, to which the mail goes. The mail does not say whose account it is, because the address may be mistyped. */
  readonly newEmail: string;
  readonly link: string;
  readonly validUntil: Date;
}

/** To the new address of an account: confirms that it belongs to the owner of the account. */
export function confirmNewEmail(letterhead: Letterhead, { newEmail, link, validUntil }: ConfirmNewEmail): MailContent {
  return written(letterhead, {
    subject: 'Confirm your new e-mail address',
    preview: `Confirm your new address by ${moment(validUntil)}.`,
    title: 'Confirm your new e-mail address',
    before: [`Someone wants to use the address ${shownName(newEmail)} for an account. If this was you, confirm that the address is yours.`],
    action: { label: 'Confirm address', link },
    after: [
      `The link works once, until ${moment(validUntil)}.`,
      "If this wasn't you, ignore this e-mail. The account then keeps its address.",
    ],
  });
}
