import { INSTALLER_KEY, installCommand } from '../../devices/agent-updates/install-command.js';
import { UserPreferencesDto } from '../../people/user-preferences/user-preference.dto.js';
import { EnumName, namesOf } from '../../platform/http/binding/enum-fields.js';
import { Bool, Guid, GuidList, Instant, ListOf, Long, Nested, Text, TextList } from '../../platform/http/binding/fields.js';
import { ServerAlertResponseDto } from '../server/server-alert.dto.js';
import { ServerOfferDto } from './server-offer.dto.js';

/** Longest permission name, in characters. */
const MAXIMUM_PERMISSION_NAME_LENGTH = 150;
/** Devices that one call may ask about. */
const MAXIMUM_ASKED_DEVICES = 100;

const EXAMPLE_ADDRESS = 'https://devices.contoso.example';
const EXAMPLE_TENANT = '3f0e7a52-3c62-4f0e-9d1a-0c6f5b7f6a11';

/** Kind of the caller's credential. */
export enum CallerCredential {
  Session = 'Session',
  Bearer = 'Bearer',
  LogonToken = 'LogonToken',
  PersonalAccessToken = 'PersonalAccessToken',
}

const CREDENTIAL = namesOf('CallerCredential', CallerCredential, {
  Session: 'The user signed in.',
  Bearer: 'The user signed in and got bearer tokens.',
  LogonToken: 'The link of a logon token opened the session, which reaches one device only.',
  PersonalAccessToken: 'A program acts as the user.',
});

export class CallerUserDto {
  @Guid('Id of the user.') id: string;
  @Text('Name under which the user signs in.', { example: 'anna@contoso.example' }) userName: string;
  @Text('E-mail address; null without one.', { nullable: true, example: 'anna@contoso.example' }) email: string | null;
  @Bool('True if the e-mail address is confirmed.') isEmailConfirmed: boolean;
  @Bool('True if sign-in asks for a code of an authenticator app.') isTwoFactorEnabled: boolean;
  @Bool('True if the user has a password.') hasPassword: boolean;
  @Bool('True if the user has a passkey.') hasPasskey: boolean;
  @Bool('True if the user must set a new password before anything else.') mustChangePassword: boolean;
  @Bool('True for a user of another system, who signs in by its links only.') isExternal: boolean;
}

export class CallerTenantDto {
  @Guid('Id of the tenant.') id: string;
  @Text('Name of the tenant; null if it has none.', { nullable: true, example: 'Contoso' }) name: string | null;
}

export class AgentInstallationDto {
  @Text('The platform, as in paths of downloads.', { example: 'linux-x64' }) platform: string;
  @Text('Version of the agent.', { example: '1.4.0.0' }) version: string;
  @Text('Brand of an agent that brings an installer of its own; null for the agent of this service.', {
    nullable: true,
    example: 'ControlR',
  })
  brand: string | null;
  @Text('Kind of the installation: a script of this service, or the installer of the agent.', {
    values: ['install.sh', 'install.ps1', 'installer'],
    example: 'install.sh',
  })
  script: string;
  @Text('Path of the script or of the installer on this server.', { example: '/downloads/install.sh' }) path: string;
  @Text(
    `Command to run on the device, as \`root\` or administrator. \`${INSTALLER_KEY.id}\` and \`${INSTALLER_KEY.secret}\` stand for an installer key.`,
    { example: installCommand('install.sh', EXAMPLE_ADDRESS, EXAMPLE_TENANT) },
  )
  command: string;
}

export class CallerFeaturesDto {
  @Bool('True if anyone may register.') isPublicRegistrationEnabled: boolean;
  @Bool('True if the server refuses desktop previews.') disableDesktopPreview: boolean;
  @Long('Size of the largest upload in bytes; with 0 or less there is no limit.', { example: 104857600 }) maxFileTransferSize: number;
  @Text('Address under which browsers and agents reach the service.', { example: EXAMPLE_ADDRESS }) publicUrl: string;
  @ListOf('Installations of agents, one entry for each agent and platform that can be downloaded.', () => AgentInstallationDto)
  agentInstallations: AgentInstallationDto[];
}

export class CallerSessionDto {
  @Nested('The calling user.', () => CallerUserDto) user: CallerUserDto;
  @Nested('The tenant of the user.', () => CallerTenantDto) tenant: CallerTenantDto;
  @EnumName('Kind of credential of the caller.', CREDENTIAL) credential: CallerCredential;
  @Guid('The only device that the session reaches; null where there is no such limit.', { nullable: true }) deviceId: string | null;
  @Instant('Time until which changes of credentials ask for no other proof; null for credentials other than sessions and bearer tokens.', {
    nullable: true,
  })
  provenUntil: Date | null;
  @TextList('Names of the permissions that the caller holds on the server.', {
    maxLength: MAXIMUM_PERMISSION_NAME_LENGTH,
    example: ['server.telemetry.read'],
  })
  serverPermissions: string[];
  @TextList('Names of the permissions that the caller holds on the whole tenant.', {
    maxLength: MAXIMUM_PERMISSION_NAME_LENGTH,
    example: ['tenant.tags.write', 'device.read'],
  })
  tenantPermissions: string[];
  @TextList(
    'Names of the permissions that the caller is allowed on devices, if only on one. What to offer on a device says `POST /account/device-permissions`.',
    { maxLength: MAXIMUM_PERMISSION_NAME_LENGTH, example: ['device.read', 'device.agent.update'] },
  )
  devicePermissions: string[];
  @Nested('Features of the server for signed-in users.', () => CallerFeaturesDto) features: CallerFeaturesDto;
  @Nested('Features of the server for everyone, as `GET /account/server` answers them.', () => ServerOfferDto) server: ServerOfferDto;
  @Nested('The preferences of the user.', () => UserPreferencesDto) preferences: UserPreferencesDto;
  @Nested('The alert of the server; null when none is shown.', () => ServerAlertResponseDto, { nullable: true })
  alert: ServerAlertResponseDto | null;
  @Text('Version of the service.', { example: '1.4.0.0' }) serverVersion: string;
}

export class DevicePermissionsRequestDto {
  @GuidList('Ids of the devices.', { min: 1, max: MAXIMUM_ASKED_DEVICES }) deviceIds: string[];
}

export class DevicePermissionsDto {
  @Guid('Id of the device.') deviceId: string;
  @TextList('Names of the device permissions that the caller holds on it.', {
    maxLength: MAXIMUM_PERMISSION_NAME_LENGTH,
    example: ['device.read', 'device.terminal.use'],
  })
  permissions: string[];
}

export class DevicePermissionsResponseDto {
  @ListOf('The devices that the caller can name, in the order asked for. Others are left out.', () => DevicePermissionsDto)
  items: DevicePermissionsDto[];
}
