import { EnumName, namesOf } from '../../platform/http/binding/enum-fields.js';
import { Bool, Instant, ListOf, Nested, Text } from '../../platform/http/binding/fields.js';
import { OpenRegistration, REGISTRATION } from '../caller/server-offer.dto.js';
import { SettingsFinding, SettingsState } from './findings.js';

/** Protection of the connection to the mail server. */
export enum MailEncryption {
  Always = 'Always',
  Required = 'Required',
  IfOffered = 'IfOffered',
}

const STATE = namesOf('SettingsState', SettingsState, {
  SetUp: 'it works as configured',
  NotSetUp: 'it is not configured',
  NeedsAttention: 'it is configured, and a finding says what is wrong',
});

const FINDING = namesOf('SettingsFinding', SettingsFinding, {
  MailSwitchedOff: 'mail is turned off',
  MailKeptInFolder: 'in development without a mail server, mails are written to the data folder',
  MailNotSent: 'no mail is sent: links of invitations and new passwords are handed on by hand',
  MailIncomplete: 'host, sender address or sender name is missing, and no mail is sent',
  MailAccountIncomplete: 'user name or password is missing, and the service does not sign in to the mail server',
  MailNeedsAddress: 'no mail is sent, because its links need the public address',
  MailFailed: 'the mail server did not accept the last message',
  AddressMissing: 'links name the host that the caller called, no mail with a link is sent, passkeys work on localhost only',
  AddressUnencrypted: 'browsers allow no passkeys at an http address',
  AddressWithoutDomain: 'passkeys need a domain name',
  RegistrationForFirst: 'there is no user, and the next visitor may register as the administrator',
  RegistrationWithoutAdministrator:
    'anyone may register, but no user administers the server, and those who register do not become its administrator',
  RegistrationUnconfirmed: 'anyone may register, with an unconfirmed e-mail address',
  RegistrationUnconfirmable: 'users must confirm their e-mail address, but no mail is sent',
  ProviderIncomplete: 'its id or its secret is missing',
  BackupsOff: 'the service makes no automatic backups',
  BackupFailed: 'the last backup failed',
  BackupOverdue: 'no backup was complete for more than 26 hours',
  ProviderNeedsAddress: 'its callback address depends on the address in the browser, because there is no public one',
});

const ENCRYPTION = namesOf('MailEncryption', MailEncryption, {
  Always: 'encrypted from the first byte',
  Required: 'encrypted by STARTTLS before the service signs in',
  IfOffered: 'encrypted if the mail server offers STARTTLS',
});

const EXAMPLE_ADDRESS = 'https://devices.contoso.example';

class SettingsFindingDto {
  @EnumName('Kind of the finding.', FINDING) kind: SettingsFinding;
}

class ServerOptionDto {
  @Text('Key of the option, as in a settings file.', { example: 'AppOptions:SmtpHost' }) key: string;
  @Text('Variable that sets it.', { example: 'Service_AppOptions__SmtpHost' }) variable: string;
  @Text('Purpose of the option.', { example: 'Mail server.' }) meaning: string;
  @Text('Form of its values.', { example: 'text' }) expected: string;
  @Bool('True if its value is never shown.') isSecret: boolean;
  @Bool('True if it has a value, its default included.') isSet: boolean;
  @Bool('True if its value is its default.') isDefault: boolean;
  @Bool('True if it needs a value for this part to work, and has none.') isMissing: boolean;
  @Text('Its value; null without one, and for secrets.', { nullable: true, example: 'smtp.contoso.example' }) value: string | null;
}

class SettingsPartDto {
  @EnumName('State of this part.', STATE) state: SettingsState;
  @ListOf('Findings about this part, for administrators.', () => SettingsFindingDto) findings: SettingsFindingDto[];
  @ListOf('Its options, in the order of the documentation.', () => ServerOptionDto) options: ServerOptionDto[];
}

export class LastDeliveryDto {
  @Instant('Time of the attempt.') at: Date;
  @Text('Reason of the failure; null if the mail server accepted the message.', {
    nullable: true,
    example: 'The mail could not be sent: the mail server did not answer in time.',
  })
  failure: string | null;
}

export class MailSettingsDto extends SettingsPartDto {
  @EnumName('Protection of the connection to the mail server; null without one.', ENCRYPTION, { nullable: true })
  encryption: MailEncryption | null;
  @Nested(
    'The last attempt of any node to hand a message to the mail server; null if there was none since the start.',
    () => LastDeliveryDto,
    {
      nullable: true,
    },
  )
  lastDelivery: LastDeliveryDto | null;
}

export class AddressSettingsDto extends SettingsPartDto {
  @Text('The public address; null without one.', { nullable: true, example: EXAMPLE_ADDRESS }) address: string | null;
}

export class RegistrationSettingsDto extends SettingsPartDto {
  @EnumName('People who may register now.', REGISTRATION) registration: OpenRegistration;
}

export class ProviderSettingsDto extends SettingsPartDto {
  @Text('Display name of the provider; null for the OpenID Connect provider that the options would add.', {
    nullable: true,
    example: 'GitHub',
  })
  displayName: string | null;
  @Text('Address that the provider has to know. `<name>` stands for the name of a provider that has none yet.', {
    example: `${EXAMPLE_ADDRESS}/account/external/github/callback`,
  })
  callbackAddress: string;
}

export class BackupSettingsDto extends SettingsPartDto {
  @Instant('Completion time of the last backup; null before the first.', { nullable: true }) lastSuccessAt: Date | null;
  @Text('Reason why the last backup failed; null if it did not fail.', {
    nullable: true,
    example: 'The backup could not be written to /var/backups/nightly-20260921T003000Z.backup: ENOSPC: no space left on device, write',
  })
  failure: string | null;
}

export class ServerSettingsResponseDto {
  @Nested('Mail.', () => MailSettingsDto) mail: MailSettingsDto;
  @Nested('The public address.', () => AddressSettingsDto) address: AddressSettingsDto;
  @Nested('Registration.', () => RegistrationSettingsDto) registration: RegistrationSettingsDto;
  @EnumName('State of the providers together.', STATE) providersState: SettingsState;
  @ListOf('GitHub, Microsoft, the configured OpenID Connect providers, and the options of one more.', () => ProviderSettingsDto)
  providers: ProviderSettingsDto[];
  @Nested('Automatic backups of the service.', () => BackupSettingsDto) backups: BackupSettingsDto;
}
