/** Content of a mail, once as text and once as HTML. Mail programs show one of the two. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A message to one person. */
export interface MailMessage extends MailContent {
  readonly to: string;
}

/** Longest address that mail can be sent to, in characters (RFC 5321, 4.5.3.1.3). */
const MAXIMUM_ADDRESS_LENGTH = 254;
const MAXIMUM_SUBJECT_LENGTH = 200;
const MAXIMUM_TEXT_LENGTH = 64 * 1024;
const MAXIMUM_HTML_LENGTH = 128 * 1024;

/** Exactly one address: no list, no display name, nothing that could end a header or a command line. */
const ADDRESS = /^[^\s\p{C}"(),:;<>@[\]\\]+@[^\s\p{C}"(),:;<>@[\]\\]+$/u;
const CONTROL_CHARACTER = /\p{Cc}/u;

/** Returns the reason for which a message cannot be sent as it is, or null. */
export function messageProblem({ to, subject, text, html }: MailMessage): string | null {
  if (to.length > MAXIMUM_ADDRESS_LENGTH || !ADDRESS.test(to)) return 'the recipient is not a usable e-mail address';
  if (subject.length > MAXIMUM_SUBJECT_LENGTH || CONTROL_CHARACTER.test(subject))
    return 'the subject is no single line of at most 200 characters';
  if (text.length > MAXIMUM_TEXT_LENGTH) return 'the text is too long';
  if (html.length > MAXIMUM_HTML_LENGTH) return 'the HTML is too long';
  return null;
}
