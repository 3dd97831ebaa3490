import type { Settings } from '../../platform/config/settings.js';
import { domainOf } from '../../platform/http/addresses/domain-name.js';
import type { LastBackups } from '../backups/running/last-backups.js';

/** State of a part of the configuration. */
export enum SettingsState {
  SetUp = 'SetUp',
  NotSetUp = 'NotSetUp',
  NeedsAttention = 'NeedsAttention',
}

/** Something about the configuration that an administrator should know. */
export enum SettingsFinding {
  MailSwitchedOff = 'MailSwitchedOff',
  MailKeptInFolder = 'MailKeptInFolder',
  MailNotSent = 'MailNotSent',
  MailIncomplete = 'MailIncomplete',
  MailAccountIncomplete = 'MailAccountIncomplete',
  MailNeedsAddress = 'MailNeedsAddress',
  MailFailed = 'MailFailed',
  AddressMissing = 'AddressMissing',
  AddressUnencrypted = 'AddressUnencrypted',
  AddressWithoutDomain = 'AddressWithoutDomain',
  RegistrationForFirst = 'RegistrationForFirst',
  RegistrationWithoutAdministrator = 'RegistrationWithoutAdministrator',
  RegistrationUnconfirmed = 'RegistrationUnconfirmed',
  RegistrationUnconfirmable = 'RegistrationUnconfirmable',
  ProviderIncomplete = 'ProviderIncomplete',
  ProviderNeedsAddress = 'ProviderNeedsAddress',
  BackupsOff = 'BackupsOff',
  BackupFailed = 'BackupFailed',
  BackupOverdue = 'BackupOverdue',
}

/** Findings about a part of the configuration, and the state that follows from them. */
export interface Findings {
  readonly state: SettingsState;
  readonly findings: readonly SettingsFinding[];
}

/** Names of options, as properties of the settings. */
export type AppOptionName = keyof Settings['appOptions'];

/** Findings with the names of the options that have no value but need one. */
interface FindingsWithMissing extends Findings {
  readonly missing: readonly AppOptionName[];
}

/** Time after the last backup within which a nightly one must have come: a day, and two hours for the work. */
const BACKUP_OVERDUE_MS = 26 * 60 * 60_000;

type Configured = Pick<Settings, 'appOptions' | 'environment'>;

const NEEDED_FOR_MAIL = ['smtpHost', 'smtpEmail', 'smtpDisplayName'] as const;

const attention = (findings: readonly SettingsFinding[]): Findings => ({
  state: findings.length === 0 ? SettingsState.SetUp : SettingsState.NeedsAttention,
  findings,
});

/** Findings about mail. `isFailing` is true if the mail server did not accept the last message. */
export function mailFindings({ appOptions, environment }: Configured, isFailing: boolean): FindingsWithMissing {
  if (appOptions.disableEmailSending)
    return { state: SettingsState.NotSetUp, findings: [SettingsFinding.MailSwitchedOff, SettingsFinding.MailNotSent], missing: [] };
  const missing: AppOptionName[] = NEEDED_FOR_MAIL.filter((name) => appOptions[name] === '');
  if (missing.length === NEEDED_FOR_MAIL.length) {
    const finding = environment === 'development' ? SettingsFinding.MailKeptInFolder : SettingsFinding.MailNotSent;
    return { state: SettingsState.NotSetUp, findings: [finding], missing };
  }
  const findings: SettingsFinding[] = [];
  if (missing.length > 0) findings.push(SettingsFinding.MailIncomplete);
  if ((appOptions.smtpUserName === '') !== (appOptions.smtpPassword === '')) {
    findings.push(SettingsFinding.MailAccountIncomplete);
    missing.push(appOptions.smtpUserName === '' ? 'smtpUserName' : 'smtpPassword');
  }
  if (appOptions.publicUrl === '' && environment !== 'development') findings.push(SettingsFinding.MailNeedsAddress);
  if (isFailing) findings.push(SettingsFinding.MailFailed);
  return { ...attention(findings), missing };
}

/** Findings about the public address. */
export function addressFindings({ appOptions: { publicUrl } }: Configured): FindingsWithMissing {
  if (publicUrl === '') return { state: SettingsState.NotSetUp, findings: [SettingsFinding.AddressMissing], missing: ['publicUrl'] };
  const findings: SettingsFinding[] = [];
  if (domainOf(publicUrl) === null) findings.push(SettingsFinding.AddressWithoutDomain);
  if (publicUrl.startsWith('http:') && !isThisMachine(new URL(publicUrl).hostname)) findings.push(SettingsFinding.AddressUnencrypted);
  return { ...attention(findings), missing: [] };
}

/** State of registration that the configuration alone does not tell. */
export interface RegistrationState {
  /** True if the next user to register administers the server. */
  readonly isFirstUser: boolean;
  /** True if a user administers the server. */
  readonly isAdministered: boolean;
  /** True if users must confirm their addresses before they sign in. */
  readonly mustBeConfirmed: boolean;
  /** True if the service sends mail. */
  readonly isMailSent: boolean;
}

/** Findings about registration. */
export function registrationFindings(
  { appOptions: { enablePublicRegistration } }: Configured,
  { isFirstUser, isAdministered, mustBeConfirmed, isMailSent }: RegistrationState,
): Findings {
  const findings: SettingsFinding[] = [];
  if (isFirstUser) findings.push(SettingsFinding.RegistrationForFirst);
  else if (enablePublicRegistration && !isAdministered) findings.push(SettingsFinding.RegistrationWithoutAdministrator);
  if (mustBeConfirmed && !isMailSent) findings.push(SettingsFinding.RegistrationUnconfirmable);
  else if (enablePublicRegistration && !mustBeConfirmed) findings.push(SettingsFinding.RegistrationUnconfirmed);
  return attention(findings);
}

/** Findings about a provider with which people sign in: its id and secret are set together. */
export function providerFindings({ appOptions }: Configured, id: AppOptionName, secret: AppOptionName): FindingsWithMissing {
  const missing = [id, secret].filter((name) => appOptions[name] === '');
  if (missing.length === 2) return { state: SettingsState.NotSetUp, findings: [], missing };
  const findings: SettingsFinding[] = [];
  if (missing.length > 0) findings.push(SettingsFinding.ProviderIncomplete);
  if (appOptions.publicUrl === '') findings.push(SettingsFinding.ProviderNeedsAddress);
  return { ...attention(findings), missing };
}

/** Findings about a provider whose options are complete. */
export const completeProviderFindings = ({ appOptions }: Configured): Findings =>
  attention(appOptions.publicUrl === '' ? [SettingsFinding.ProviderNeedsAddress] : []);

/** Findings about the service's own backups. */
export function backupFindings({ backup }: Pick<Settings, 'backup'>, { successAt, failure }: LastBackups, now: Date): Findings {
  if (backup.at === null) return { state: SettingsState.NotSetUp, findings: [SettingsFinding.BackupsOff] };
  const isOverdue = successAt !== null && now.getTime() - successAt.getTime() > BACKUP_OVERDUE_MS;
  return attention([...(failure === null ? [] : [SettingsFinding.BackupFailed]), ...(isOverdue ? [SettingsFinding.BackupOverdue] : [])]);
}

/** State of several parts as one: the worst, and set up as soon as one is. */
export function stateOfAll(states: readonly SettingsState[]): SettingsState {
  const order = [SettingsState.NeedsAttention, SettingsState.SetUp];
  return order.find((state) => states.includes(state)) ?? SettingsState.NotSetUp;
}

/** Checks whether browsers treat the host as this machine, where they need no TLS. */
function isThisMachine(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host);
}
