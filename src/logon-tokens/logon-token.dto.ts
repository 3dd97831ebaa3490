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
  @Guid() deviceId: string;
  @Guid() tenantId: string;
  @Text({ nullable: true, max: MAXIMUM_SESSION_CORRELATION_ID_LENGTH, description: "The caller's own key of the session." })
  sessionCorrelationId: string | null;
  @Int({ min: 1, max: DAY_MINUTES, default: DEFAULT_EXPIRATION_MINUTES, description: 'Until when the token can be used.' })
  expirationMinutes: number;
  @TextList({
    nullable: true,
    max: MAXIMUM_PERMISSIONS,
    maxLength: MAXIMUM_PERMISSION_NAME_LENGTH,
    description:
      'Device permissions that the caller holds on the device; device.read is added. Without any: device.read and device.overview.read.',
  })
  permissions: string[] | null;
  @IntList({
    nullable: true,
    min: 1,
    max: MAXIMUM_DESKTOP_SESSIONS,
    smallest: 0,
    description: 'The only desktop sessions that can be reached; null allows all.',
  })
  allowedDesktopSessionIds: number[] | null;
  @Int({
    min: MINIMUM_SESSION_MINUTES,
    max: DAY_MINUTES,
    default: DEFAULT_SESSION_MINUTES,
    description: 'How long the session lasts that the token opens.',
  })
  sessionExpirationMinutes: number;
}

export class CreateLogonTokenForUserRequestDto extends CreateLogonTokenRequestDto {
  @Guid() userId: string;
}

export class CreateLogonTokenForExternalRequestDto extends CreateLogonTokenRequestDto {
  @Text({ max: MAXIMUM_CORRELATION_ID_LENGTH, notBlank: true, description: "The caller's own key of the person." })
  userCorrelationId: string;
  @Text({
    nullable: true,
    max: MAXIMUM_DISPLAY_NAME_LENGTH,
    description: 'Kept when it consists of letters, digits, spaces, underscores and hyphens.',
  })
  userDisplayName: string | null;
}

export class LogonTokenResponseDto {
  @Text({ description: 'Path and query that open the device access page; good for one use.' }) deviceAccessUrl: string;
  @Instant() expiresAt: Date;
  @Text({ description: 'Shown this once.' }) token: string;
}
