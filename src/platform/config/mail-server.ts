import type { OptionValues } from './options.js';

type MailServerOptions = Pick<OptionValues['appOptions'], 'smtpHost' | 'smtpEmail' | 'smtpDisplayName'>;

/** Checks whether a mail server is configured: its host, and the address and name of the sender. */
export function hasMailServer({ smtpHost, smtpEmail, smtpDisplayName }: MailServerOptions): boolean {
  return smtpHost !== '' && smtpEmail !== '' && smtpDisplayName !== '';
}

/** Checks whether users have to confirm their e-mail address before they sign in: never while the service sends no mail. */
export function mustConfirmAddresses({
  requireUserEmailConfirmation,
  disableEmailSending,
}: Pick<OptionValues['appOptions'], 'requireUserEmailConfirmation' | 'disableEmailSending'>): boolean {
  return requireUserEmailConfirmation && !disableEmailSending;
}
