import { SCOPE_KIND } from '../../access/authorization/permissions/permission-names.js';
import type { PermissionScopeKind } from '../../access/authorization/permissions/permission.js';
import { EnumName } from '../../platform/http/binding/enum-fields.js';
import { Guid, Instant, Int, IntList, ListOf, Text, TextList } from '../../platform/http/binding/fields.js';
import { MAXIMUM_CORRELATION_ID_LENGTH } from '../users/external-users.service.js';

/** Longest lifetime of an unused token, and of the session that it opens, in minutes: one day. */
const DAY_MINUTES = 1440;
const DEFAULT_EXPIRATION_MINUTES = 15;
export const DEFAULT_SESSION_MINUTES = 480;
const MINIMUM_SESSION_MINUTES = 5;
const MAXIMUM_PERMISSIONS = 100;
const MAXIMUM_PERMISSION_NAME_LENGTH = 150;
const MAXIMUM_DESKTOP_SESSIONS = 32;
const MAXIMUM_SESSION_CORRELATION_ID_LENGTH = 128;
const MAXIMUM_DISPLAY_NAME_LENGTH = 50;

const DEVICE_ID = 'Id of the only device that the session reaches.';
const EXPIRATION_MINUTES = 'Minutes within which the link has to be opened.';

class CreateLogonTokenRequestDto {
  @Guid(DEVICE_ID) deviceId: string;
  @Guid('Id of the tenant; the device has to belong to it.') tenantId: string;
  @Text("The caller's own id of the session.", {
    nullable: true,
    max: MAXIMUM_SESSION_CORRELATION_ID_LENGTH,
    example: 'ticket-20417',
  })
  sessionCorrelationId: string | null;
  @Int(EXPIRATION_MINUTES, { min: 1, max: DAY_MINUTES, default: DEFAULT_EXPIRATION_MINUTES })
  expirationMinutes: number;
  @TextList(
    'Device permissions of the session. The caller has to hold each of them on the device. `device.read` is always added; without any permission the session gets `device.read` and `device.overview.read`.',
    {
      nullable: true,
      example: ['device.read', 'device.terminal.use'],
      max: MAXIMUM_PERMISSIONS,
      maxLength: MAXIMUM_PERMISSION_NAME_LENGTH,
    },
  )
  permissions: string[] | null;
  @IntList('Ids of the desktop sessions that can be reached; null allows all.', {
    example: [1],
    nullable: true,
    min: 1,
    max: MAXIMUM_DESKTOP_SESSIONS,
    smallest: 0,
  })
  allowedDesktopSessionIds: number[] | null;
  @Int('Minutes that the session lasts once the link was opened.', {
    min: MINIMUM_SESSION_MINUTES,
    max: DAY_MINUTES,
    default: DEFAULT_SESSION_MINUTES,
  })
  sessionExpirationMinutes: number;
}

export class CreateLogonTokenForUserRequestDto extends CreateLogonTokenRequestDto {
  @Guid('Id of the user who is signed in; one of the tenant.') userId: string;
}

export class CreateLogonTokenForExternalRequestDto extends CreateLogonTokenRequestDto {
  @Text("The caller's own id of the person, in any characters but control characters. Letter case counts.", {
    min: 1,
    max: MAXIMUM_CORRELATION_ID_LENGTH,
    notBlank: true,
    noControlCharacters: true,
    example: 'auth0|5f7c8ec7c33c6c004bbafe82',
  })
  userCorrelationId: string;
  @Text('Name that the person at the device sees. It is kept if it has only letters, digits, spaces, underscores and hyphens.', {
    nullable: true,
    max: MAXIMUM_DISPLAY_NAME_LENGTH,
    example: 'Anna Berg',
  })
  userDisplayName: string | null;
}

/** A permission of a token, in the form of the internal route. */
export class LogonTokenScopeDto {
  @Text('Name of a device permission, from the catalogue. The caller has to hold it on the device.', {
    min: 1,
    max: MAXIMUM_PERMISSION_NAME_LENGTH,
    example: 'device.terminal.use',
  })
  permissionName: string;
  @EnumName('Kind of the scope: `Device`, because a token reaches one device.', SCOPE_KIND, { example: 'Device' })
  scopeKind: PermissionScopeKind;
  @Guid('Id of the device of the token; null means that device.', { nullable: true }) scopeId: string | null;
}

/** The body of the internal route. */
export class CreateScopedLogonTokenRequestDto {
  @Guid(DEVICE_ID) deviceId: string;
  @Int(EXPIRATION_MINUTES, { min: 1, max: DAY_MINUTES, default: DEFAULT_EXPIRATION_MINUTES })
  expirationMinutes: number;
  @ListOf('Permissions of the session. Without any it gets `device.read` and `device.overview.read`.', () => LogonTokenScopeDto, {
    nullable: true,
    max: MAXIMUM_PERMISSIONS,
  })
  scopes: LogonTokenScopeDto[] | null;
}

export class LogonTokenResponseDto {
  @Text('Path and query that open the device access page. They work once.', {
    example: '/device-access?deviceId=019a5b3c-6d9f-7c2e-8f10-2b5d7a9c4e61&logonToken=5E1F…:kX3v…',
  })
  deviceAccessUrl: string;
  @Instant('Expiry of the link, at the latest that of the credential that created it.') expiresAt: Date;
  @Text('The token itself. It is shown only now.', { example: '5E1F0A7C3B2D4E6F8091A2B3C4D5E6F7:kX3vYw' }) token: string;
}
