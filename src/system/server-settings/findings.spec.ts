import { describe, expect, it } from 'vitest';

import { loadSettings } from '../../platform/config/load-settings.js';
import type { Settings } from '../../platform/config/settings.js';
import {
  addressFindings,
  backupFindings,
  completeProviderFindings,
  mailFindings,
  providerFindings,
  registrationFindings,
  type RegistrationState,
  SettingsFinding,
  SettingsState,
  stateOfAll,
} from './findings.js';
import { appOptionStates, nextProviderOptionStates, providerOptionStates } from './option-states.js';

const ADDRESS = { PublicUrl: 'https://devices.example.org' };
const SERVER = { SmtpHost: 'smtp.example.org', SmtpEmail: 'service@example.org', SmtpDisplayName: 'Devices' };

function settingsOf(options: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}): Settings {
  const variables = Object.entries(options).map(([name, value]) => [`Service_AppOptions__${name}`, value]);
  return loadSettings({ env: { ...Object.fromEntries(variables), ...env }, cwd: '/nowhere' }).settings;
}

describe('findings about mail', () => {
  const { SetUp, NotSetUp, NeedsAttention } = SettingsState;

  it.each<[options: Record<string, string>, state: SettingsState, findings: SettingsFinding[], missing: string[]]>([
    [{}, NotSetUp, [SettingsFinding.MailNotSent], ['smtpHost', 'smtpEmail', 'smtpDisplayName']],
    [{ ...ADDRESS, ...SERVER }, SetUp, [], []],
    [{ ...ADDRESS, ...SERVER, SmtpUserName: 'service', SmtpPassword: 'secret' }, SetUp, [], []],
    [{ ...ADDRESS, SmtpHost: 'smtp.example.org' }, NeedsAttention, [SettingsFinding.MailIncomplete], ['smtpEmail', 'smtpDisplayName']],
    [SERVER, NeedsAttention, [SettingsFinding.MailNeedsAddress], []],
    [{ ...ADDRESS, ...SERVER, SmtpUserName: 'service' }, NeedsAttention, [SettingsFinding.MailAccountIncomplete], ['smtpPassword']],
    [{ ...ADDRESS, ...SERVER, SmtpPassword: 'secret' }, NeedsAttention, [SettingsFinding.MailAccountIncomplete], ['smtpUserName']],
    [{ ...ADDRESS, ...SERVER, DisableEmailSending: 'true' }, NotSetUp, [SettingsFinding.MailSwitchedOff, SettingsFinding.MailNotSent], []],
  ])('are, for %j, %s', (options, state, findings, missing) => {
    expect(mailFindings(settingsOf(options), false)).toEqual({ state, findings, missing });
  });

  it('say that the last message was not accepted', () => {
    const found = mailFindings(settingsOf({ ...ADDRESS, ...SERVER }), true);
    expect(found).toEqual({ state: NeedsAttention, findings: [SettingsFinding.MailFailed], missing: [] });
  });

  it('say in development that mails are kept, and ask for no address', () => {
    const development = { NODE_ENV: 'development' };
    expect(mailFindings(settingsOf({}, development), false).findings).toEqual([SettingsFinding.MailKeptInFolder]);
    expect(mailFindings(settingsOf(SERVER, development), false).state).toBe(SetUp);
  });
});

describe('findings about the public address', () => {
  it.each<[publicUrl: string, state: SettingsState, findings: SettingsFinding[]]>([
    ['', SettingsState.NotSetUp, [SettingsFinding.AddressMissing]],
    ['https://devices.example.org', SettingsState.SetUp, []],
    ['http://localhost:8080', SettingsState.SetUp, []],
    ['http://service.localhost', SettingsState.SetUp, []],
    ['http://devices.example.org', SettingsState.NeedsAttention, [SettingsFinding.AddressUnencrypted]],
    ['https://192.0.2.7', SettingsState.NeedsAttention, [SettingsFinding.AddressWithoutDomain]],
    ['http://[2001:db8::1]', SettingsState.NeedsAttention, [SettingsFinding.AddressWithoutDomain, SettingsFinding.AddressUnencrypted]],
  ])('are, for %j, %s', (publicUrl, state, findings) => {
    const missing = publicUrl === '' ? ['publicUrl'] : [];
    expect(addressFindings(settingsOf({ PublicUrl: publicUrl }))).toEqual({ state, findings, missing });
  });
});

describe('findings about registration', () => {
  const CALM = { isFirstUser: false, isAdministered: true, mustBeConfirmed: false, isMailSent: true };
  const found = (options: Record<string, string>, now: Partial<RegistrationState>): unknown =>
    registrationFindings(settingsOf(options), { ...CALM, ...now }).findings;
  const OPEN = { EnablePublicRegistration: 'true' };

  it('are none where people are invited', () => {
    expect(registrationFindings(settingsOf({}), { ...CALM, isMailSent: false })).toEqual({ state: SettingsState.SetUp, findings: [] });
    expect(found({}, { isAdministered: false })).toEqual([]);
  });

  it('warn of who can become the administrator, of addresses that nobody checks, and of those that nobody can confirm', () => {
    expect(found({}, { isFirstUser: true, isAdministered: false })).toEqual([SettingsFinding.RegistrationForFirst]);
    expect(found(OPEN, {})).toEqual([SettingsFinding.RegistrationUnconfirmed]);
    expect(found(OPEN, { mustBeConfirmed: true })).toEqual([]);
    expect(found({}, { mustBeConfirmed: true, isMailSent: false })).toEqual([SettingsFinding.RegistrationUnconfirmable]);
  });

  it('warn where users can register but none administers the server', () => {
    const { RegistrationWithoutAdministrator, RegistrationUnconfirmed, RegistrationForFirst } = SettingsFinding;
    expect(found(OPEN, { isAdministered: false })).toEqual([RegistrationWithoutAdministrator, RegistrationUnconfirmed]);
    expect(found(OPEN, { isAdministered: false, isFirstUser: true })).toEqual([RegistrationForFirst, RegistrationUnconfirmed]);
  });
});

describe('findings about providers', () => {
  it.each<[options: Record<string, string>, state: SettingsState, findings: SettingsFinding[]]>([
    [{}, SettingsState.NotSetUp, []],
    [{ ...ADDRESS, GitHubClientId: 'id', GitHubClientSecret: 'secret' }, SettingsState.SetUp, []],
    [{ ...ADDRESS, GitHubClientId: 'id' }, SettingsState.NeedsAttention, [SettingsFinding.ProviderIncomplete]],
    [{ GitHubClientId: 'id', GitHubClientSecret: 'secret' }, SettingsState.NeedsAttention, [SettingsFinding.ProviderNeedsAddress]],
  ])('are, for %j, %s', (options, state, findings) => {
    expect(providerFindings(settingsOf(options), 'gitHubClientId', 'gitHubClientSecret')).toMatchObject({ state, findings });
  });

  it('make one state of several: the worst, and set up as soon as one is', () => {
    const { SetUp, NotSetUp, NeedsAttention } = SettingsState;
    expect(stateOfAll([NotSetUp, NotSetUp])).toBe(NotSetUp);
    expect(stateOfAll([NotSetUp, SetUp])).toBe(SetUp);
    expect(stateOfAll([SetUp, NeedsAttention, NotSetUp])).toBe(NeedsAttention);
    expect(completeProviderFindings(settingsOf(ADDRESS)).state).toBe(SetUp);
  });
});

describe('findings about backups', () => {
  const now = new Date('2026-06-10T08:00:00Z');
  const hoursAgo = (hours: number): Date => new Date(now.getTime() - hours * 3_600_000);

  it.each<[at: string, successAt: Date | null, failure: string | null, state: SettingsState, findings: SettingsFinding[]]>([
    ['02:30', null, null, SettingsState.SetUp, []],
    ['02:30', hoursAgo(26), null, SettingsState.SetUp, []],
    ['02:30', hoursAgo(27), null, SettingsState.NeedsAttention, [SettingsFinding.BackupOverdue]],
    ['02:30', hoursAgo(5), 'full', SettingsState.NeedsAttention, [SettingsFinding.BackupFailed]],
    ['02:30', hoursAgo(50), 'full', SettingsState.NeedsAttention, [SettingsFinding.BackupFailed, SettingsFinding.BackupOverdue]],
    ['', hoursAgo(50), 'full', SettingsState.NotSetUp, [SettingsFinding.BackupsOff]],
  ])('at %j, after a success at %s and the failure %j, are %s', (at, successAt, failure, state, findings) => {
    const settings = settingsOf({}, { Service_Backup__At: at });
    expect(backupFindings(settings, { successAt, failure, size: null }, now)).toEqual({ state, findings });
  });
});

describe('options', () => {
  it('have their variable and value, but never that of a secret', () => {
    const settings = settingsOf({ SmtpHost: 'smtp.example.org', SmtpPassword: 'secret' });
    const [host, port, password, email] = appOptionStates(settings, ['smtpHost', 'smtpPort', 'smtpPassword', 'smtpEmail'], ['smtpEmail']);
    expect(host).toMatchObject({ variable: 'Service_AppOptions__SmtpHost', value: 'smtp.example.org', isSet: true, isDefault: false });
    expect(port).toMatchObject({ value: '587', isSet: true, isDefault: true });
    expect(password).toMatchObject({ value: null, isSet: true, isSecret: true, isMissing: false });
    expect(email).toMatchObject({ value: null, isSet: false, isMissing: true });
  });

  it('of OpenID Connect providers have their number, and the next one has the number after the last', () => {
    const prefix = 'Service_OpenIdConnect__4__';
    const { openIdConnect } = settingsOf(
      {},
      {
        [`${prefix}Name`]: 'corporate',
        [`${prefix}Issuer`]: 'https://id.example.org',
        [`${prefix}ClientId`]: 'service',
        [`${prefix}ClientSecret`]: 'secret',
      },
    );
    expect(openIdConnect.map(providerOptionStates)[0]?.[0]).toMatchObject({ variable: `${prefix}Name`, value: 'corporate' });
    expect(JSON.stringify(openIdConnect.map(providerOptionStates))).not.toContain('"secret"');
    expect(nextProviderOptionStates(openIdConnect)[0]).toMatchObject({ variable: 'Service_OpenIdConnect__5__Name', value: null });
    expect(nextProviderOptionStates([])[0]).toMatchObject({ variable: 'Service_OpenIdConnect__0__Name' });
  });
});
