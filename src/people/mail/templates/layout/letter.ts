import type { MailContent } from '../../mail-message.js';
import { letterHtml } from './letter-html.js';
import { letterText } from './letter-text.js';
import { webLink } from './web-link.js';

/** Who writes. */
export interface Letterhead {
  /** The name of the service, as recipients know it. */
  readonly serviceName: string;
  /** The public address of the service. */
  readonly serviceAddress: string;
}

/** What a letter asks the reader to do. */
export interface Action {
  /** The words on the button. */
  readonly label: string;
  readonly link: string;
}

/** A mail in words, without its looks. All of it is plain text. */
export interface Letter {
  readonly subject: string;
  /** What lists of mails show after the subject. */
  readonly preview: string;
  readonly title: string;
  /** Paragraphs before the button. */
  readonly before: readonly string[];
  /** What happened, as pairs of a word and a value. */
  readonly facts?: readonly (readonly [string, string])[];
  readonly action?: Action;
  /** Paragraphs after the button. */
  readonly after: readonly string[];
}

/** A letter as a mail: as text, and as HTML. @throws Error when one of its links is no http or https address */
export function written(letterhead: Letterhead, letter: Letter): MailContent {
  const { serviceName, serviceAddress } = letterhead;
  const head = { serviceName, serviceAddress: webLink(serviceAddress) };
  const { action } = letter;
  const body = action === undefined ? letter : { ...letter, action: { ...action, link: webLink(action.link) } };
  return { subject: letter.subject, text: letterText(head, body), html: letterHtml(head, body) };
}
