import { Guid, Instant, Int, IntList, Text, TextList } from '../http/binding/fields.js';
import { MAXIMUM_CORRELATION_ID_LENGTH } from '../users/external-users.service.js';

/** Longest a token waits for its use, and a session that it opened lasts, in minutes: a day. */
const DAY_MINUTES = 1440;
const DEFAULT_EXPIRATION_MINUTES = 15;
const DEFAULT_SESSION_MINUTES = 480;
const MINIMUM_SESSION_MINUTES = 5;
const MAXIMUM_PERMISSIONS = 100;
const MAXIMUM_PERMISSION_NAME_LENGTH = 150;
const MAXIMUM_DESKTOP_SESSIONS = 32;
const MAXIMUM_SESSION_CORRELATION_ID_LENGTH = 128;
const MAXIMUM_DISPLAY_NAME_LENGTH = 50;

class CreateLogonTokenRequestDto {
  @Guid('') deviceId: string;
  @Guid('') tenantId: string;
  @Text("The caller's own key of the session.", { nullable: true, max: MAXIMUM_SESSION_CORRELATION_ID_LENGTH })
  sessionCorrelationId: string | null;
  @Int('Until when the token can be used.', { min: 1, max: DAY_MINUTES, default: DEFAULT_EXPIRATION_MINUTES })
  expirationMinutes: number;
  @TextList(
    'Device permissions that the caller holds on the device; device.read is added. Without any: device.read and device.overview.read.',
    { nullable: true, max: MAXIMUM_PERMISSIONS, maxLength: MAXIMUM_PERMISSION_NAME_LENGTH },
  )
  permissions: string[] | null;
  @IntList('The only desktop sessions that can be reached; null allows all.', {
    nullable: true,
    min: 1,
    max: MAXIMUM_DESKTOP_SESSIONS,
    smallest: 0,
  })
  allowedDesktopSessionIds: number[] | null;
  @Int('How long the session lasts that the token opens.', {
    min: MINIMUM_SESSION_MINUTES,
    max: DAY_MINUTES,
    default: DEFAULT_SESSION_MINUTES,
  })
  sessionExpirationMinutes: number;
}

export class CreateLogonTokenForUserRequestDto extends CreateLogonTokenRequestDto {
  @Guid('') userId: string;
}

export class CreateLogonTokenForExternalRequestDto extends CreateLogonTokenRequestDto {
  @Text("The caller's own key of the person.", { max: MAXIMUM_CORRELATION_ID_LENGTH, notBlank: true })
  userCorrelationId: string;
  @Text('Kept when it consists of letters, digits, spaces, underscores and hyphens.', { nullable: true, max: MAXIMUM_DISPLAY_NAME_LENGTH })
  userDisplayName: string | null;
}

export class LogonTokenResponseDto {
  @Text('Path and query that open the device access page; good for one use.') deviceAccessUrl: string;
  @Instant('') expiresAt: Date;
  @Text('Shown this once.') token: string;
}
