import { EnumName, namesOf } from '../http/binding/enum-fields.js';
import { Bool, Guid, GuidList, Instant, ListOf, Long, Nested, Text, TextList } from '../http/binding/fields.js';
import { ServerAlertResponseDto } from '../server/server-alert.dto.js';
import { UserPreferencesDto } from '../user-preferences/user-preference.dto.js';

/** Longest permission name, in characters. */
const MAXIMUM_PERMISSION_NAME_LENGTH = 150;
/** Devices that one call may ask about. */
export const MAXIMUM_ASKED_DEVICES = 100;

/** How the caller authenticated. */
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
  @Bool('Whether the address was confirmed.') isEmailConfirmed: boolean;
  @Bool('Whether sign-in asks for a code.') isTwoFactorEnabled: boolean;
  @Bool('Whether the user has to set a new password before anything else.') mustChangePassword: boolean;
  @Bool('Whether another system knows the user, who signs in by its links only.') isExternal: boolean;
}

export class CallerTenantDto {
  @Guid('Id of the tenant.') id: string;
  @Text('Name of the tenant; null if it has none.', { nullable: true, example: 'Contoso' }) name: string | null;
}

export class CallerFeaturesDto {
  @Bool('Whether anybody may register.') isPublicRegistrationEnabled: boolean;
  @Bool('Whether the server refuses desktop previews.') disableDesktopPreview: boolean;
  @Long('Size of the largest upload in bytes; with 0 or less there is no limit.', { example: 104857600 }) maxFileTransferSize: number;
  @Text('Address under which browsers and agents reach the service.', { example: 'https://devices.contoso.example' }) publicUrl: string;
}

export class CallerSessionDto {
  @Nested('The calling user.', () => CallerUserDto) user: CallerUserDto;
  @Nested('The tenant of the user.', () => CallerTenantDto) tenant: CallerTenantDto;
  @EnumName('How the caller authenticated.', CREDENTIAL) credential: CallerCredential;
  @Guid('The only device that the session reaches; null where there is no such limit.', { nullable: true }) deviceId: string | null;
  @Instant('Until when changes of credentials ask for no other proof; null for other credentials than sessions.', { nullable: true })
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
  @Nested('What the server offers.', () => CallerFeaturesDto) features: CallerFeaturesDto;
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
