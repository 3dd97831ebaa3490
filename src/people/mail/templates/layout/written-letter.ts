import type { MailContent } from '../../mail-message.js';
import { letterHtml } from './letter-html.js';
import { letterText } from './letter-text.js';
import type { Letter, Letterhead } from './letter.js';
import { webLink } from './web-link.js';

/** A letter as a mail: as text, and as HTML. @throws Error when one of its links is no http or https address */
export function written(letterhead: Letterhead, letter: Letter): MailContent {
  const { serviceName, serviceAddress } = letterhead;
  const head = { serviceName, serviceAddress: webLink(serviceAddress) };
  const { action } = letter;
  const body = action === undefined ? letter : { ...letter, action: { ...action, link: webLink(action.link) } };
  return { subject: letter.subject, text: letterText(head, body), html: letterHtml(head, body) };
}
