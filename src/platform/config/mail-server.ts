import type { OptionValues } from './options.js';

type MailServerOptions = Pick<OptionValues['appOptions'], 'smtpHost' | 'smtpEmail' | 'smtpDisplayName'>;

/** Checks whether a mail server is configured: its host, and the address and name of the sender. */
export function hasMailServer({ smtpHost, smtpEmail, smtpDisplayName }: MailServerOptions): boolean {
  return smtpHost !== '' && smtpEmail !== '' && smtpDisplayName !== '';
}

/** True if users have to confirm their e-mail address before they sign in. While the service sends no mail, none has to. */
export function mustConfirmAddresses({
  requireUserEmailConfirmation,
  disableEmailSending,
}: Pick<OptionValues['appOptions'], 'requireUserEmailConfirmation' | 'disableEmailSending'>): boolean {
  return requireUserEmailConfirmation && !disableEmailSending;
}
