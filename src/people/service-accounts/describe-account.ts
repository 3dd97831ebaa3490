import type { ServerServiceAccountDto, ServiceAccountCredentialDto } from './service-account.dto.js';
import type { ServiceAccount, ServiceAccountCredential } from './service-account.entity.js';

/** An account with its credentials, as answers show it. */
export function describeAccount(account: ServiceAccount, credentials: readonly ServiceAccountCredential[]): ServerServiceAccountDto {
  const { id, name, description, isEnabled, accessMode, createdAt } = account;
  return { id, name, description, isEnabled, accessMode, createdAt, credentials: credentials.map(describeCredential) };
}

/** A credential as answers show it, without its secret. */
export function describeCredential(credential: ServiceAccountCredential): ServiceAccountCredentialDto {
  const { id, name, createdAt, expiresAt, revokedAt, lastUsedAt } = credential;
  return { id, name, createdAt, expiresAt, revokedAt, lastUsedAt };
}
