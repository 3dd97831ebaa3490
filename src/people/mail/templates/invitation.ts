import type { MailContent } from '../mail-message.js';
import type { Letterhead } from './layout/letter.js';
import { written } from './layout/written-letter.js';
import { moment } from './layout/moment.js';
import { shortName, shownName } from './layout/shown-name.js';

export interface Invitation {
  /** Name of the inviter; null when it was no person. */
  readonly inviter: string | null;
  /** The tenant to which the person is invited; null stands for the server as a whole. */
  readonly tenantName: string | null;
  readonly link: string;
  readonly validUntil: Date;
}

/** To a person who is invited to a tenant. */
export function invitation(letterhead: Letterhead, { inviter, tenantName, link, validUntil }: Invitation): MailContent {
  const { serviceName } = letterhead;
  const place = tenantName ?? serviceName;
  const invited = `${inviter === null ? 'You are invited' : `${shownName(inviter)} invites you`} to ${shownName(place)}`;
  return written(letterhead, {
    subject: `Invitation to ${shortName(place)}`,
    preview: `Choose a password by ${moment(validUntil)}.`,
    title: `Invitation to ${shownName(place)}`,
    before: [
      tenantName === null ? `${invited}.` : `${invited}, which manages its devices with ${serviceName}.`,
      'Your account is ready. Choose a password to use it.',
    ],
    action: { label: 'Accept invitation', link },
    after: [`The link works once, until ${moment(validUntil)}.`, "If you don't know who invited you, ignore this e-mail."],
  });
}
