import type { ServiceAccountCredential } from './service-account.entity.js';

/** Checks that the credential itself allows authentication at an instant (milliseconds): it is neither revoked nor expired. */
export function isActive({ revokedAt, expiresAt }: Pick<ServiceAccountCredential, 'revokedAt' | 'expiresAt'>, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt.getTime() > now);
}
