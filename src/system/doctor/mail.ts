import { messageOf } from '../../platform/common/errors/errors.js';
import { codeOf } from '../../platform/common/errors/system-error.js';
import type { Settings } from '../../platform/config/settings.js';
import { smtpOptionsOf } from '../../people/mail/smtp-options.js';
import { mailFindings, SettingsFinding } from '../server-settings/findings.js';
import type { FindingKind } from './finding-kinds.js';
import { Area, fault, skipped, well, type Finding } from './finding.js';

/** Words of errors about the encryption of a connection. */
const ENCRYPTION = /certificate|tls|ssl/i;

/** Findings about mail. Connects to the mail server and signs in, and sends nothing. */
export async function mailServerFindings(settings: Settings): Promise<readonly Finding[]> {
  const { findings, missing } = mailFindings(settings, false);
  const options = smtpOptionsOf(settings.appOptions);
  const names = missing.map((name) => `AppOptions:${name.charAt(0).toUpperCase()}${name.slice(1)}`).join(', ');
  if (findings.includes(SettingsFinding.MailIncomplete)) return [fault('mail-incomplete', `These options of mail are missing: ${names}.`)];
  if (findings.includes(SettingsFinding.MailSwitchedOff))
    return [skipped(Area.Mail, 'Mail is turned off (AppOptions:DisableEmailSending).')];
  if (options === null) return [skipped(Area.Mail, 'No mail server is configured. Users pass on links of invitations themselves.')];
  const found = findings.includes(SettingsFinding.MailAccountIncomplete)
    ? [fault('mail-account-incomplete', `The service does not sign in to the mail server, because ${names} is missing.`)]
    : [];
  const server = `${settings.appOptions.smtpHost}:${settings.appOptions.smtpPort}`;
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(options);
  try {
    await transport.verify();
    return [
      ...found,
      ...(found.length > 0 ? [] : [well(Area.Mail, `The mail server ${server} ${options.auth ? 'accepts the sign-in' : 'answers'}.`)]),
    ];
  } catch (error) {
    return [...found, fault(kindOf(error), `The mail server ${server} cannot be used: ${messageOf(error)}`)];
  } finally {
    transport.close();
  }
}

function kindOf(error: unknown): FindingKind {
  if (codeOf(error) === 'EAUTH') return 'mail-sign-in';
  return codeOf(error) === 'ETLS' || ENCRYPTION.test(messageOf(error)) ? 'mail-encryption' : 'mail-unreachable';
}
