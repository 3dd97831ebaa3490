import type { ServiceAccountCredential } from './service-account.entity.js';

/** Whether a credential can still authenticate at an instant (milliseconds), as far as it depends on the credential itself. */
export function isActive({ revokedAt, expiresAt }: Pick<ServiceAccountCredential, 'revokedAt' | 'expiresAt'>, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt.getTime() > now);
}
