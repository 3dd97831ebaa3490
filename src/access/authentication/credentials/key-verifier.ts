import { Injectable } from '@nestjs/common';

import { invalid, unauthorized } from '../../../platform/common/errors/errors.js';
import { parseKey, secretMatches } from '../../../platform/common/identifiers/secret.js';
import { Clock } from '../../../platform/common/runtime/clock.js';
import { InvalidationBus, type InvalidationListener } from '../../../platform/database/invalidation/invalidation-bus.js';
import { KeyedCache } from '../../../platform/database/invalidation/keyed-cache.js';
import { Topic } from '../../../platform/database/triggers/invalidation-topics.js';
import type { CredentialStanding } from '../schemes/authentication-scheme.js';
import type { StoredCredential } from './credentials.repository.js';
import { AuthenticationFailureLimiter } from './failure-limiter.js';

const CACHED_CREDENTIALS = 20_000;
const NOBODY = Buffer.alloc(32);

/**
 * Verifies header values of the form `<credential id hex>:<secret>`. A cached credential is forgotten when it or its
 * owner is written. The secret's hash, the expiry and the lock-out are checked on every request.
 */
@Injectable()
export class KeyVerifier implements InvalidationListener {
  /** Credentials by header and id, so that one of one kind is never accepted under the header of another. */
  private readonly cache: KeyedCache<StoredCredential<{ readonly id: string }> | null>;
  private readonly headerNames = new Set<string>();

  constructor(
    private readonly limiter: AuthenticationFailureLimiter,
    private readonly clock: Clock,
    invalidations: InvalidationBus,
  ) {
    this.cache = new KeyedCache('credentials', CACHED_CREDENTIALS, () => invalidations.isListening);
    invalidations.subscribe(this);
  }

  /**
   * The principal behind a header value. 400 for a malformed value. 401 for any well-formed value that does not
   * authenticate, always with the same message, so that callers cannot probe what exists. 401 also for a throttled
   * attempt, with the time to wait.
   */
  async verify<P extends { readonly id: string }>(
    header: string | readonly string[],
    headerName: string,
    address: string,
    load: (credentialId: string) => Promise<StoredCredential<P> | null>,
  ): Promise<P> {
    const key = typeof header === 'string' ? parseKey(header) : null;
    if (key === null) throw invalid(`The ${headerName} header must be 32 hexadecimal characters, a colon and a secret.`);
    this.requireNotThrottled(headerName, address, key.credentialId);

    this.headerNames.add(headerName);
    const stored = (await this.cache.get(cacheKey(headerName, key.credentialId), () =>
      load(key.credentialId),
    )) as StoredCredential<P> | null;
    // Other attempts may have failed during the read. Nothing below waits, so each attempt sees all earlier failures.
    this.requireNotThrottled(headerName, address, key.credentialId);
    const matches = secretMatches(key.secret, stored?.hashedSecret ?? NOBODY);
    if (stored === null || !matches || !this.isUsable(stored)) {
      this.limiter.failed(address, stored === null ? null : key.credentialId);
      throw refused(headerName);
    }
    this.limiter.succeeded(address, key.credentialId);
    return stored.principal;
  }

  /** The present principal of the credential of a long-lived connection; null when the credential may not be used any more. */
  async presentPrincipal<P extends { readonly id: string }>(
    credentialId: string,
    headerName: string,
    load: (credentialId: string) => Promise<StoredCredential<P> | null>,
  ): Promise<P | null> {
    this.headerNames.add(headerName);
    const stored = (await this.cache.get(cacheKey(headerName, credentialId), () => load(credentialId))) as StoredCredential<P> | null;
    return stored !== null && this.isUsable(stored) ? stored.principal : null;
  }

  /** Returns the present standing of a credential that was read; null is one that is gone. */
  standingOf(stored: StoredCredential<unknown> | null): CredentialStanding {
    if (stored === null) return { isValid: false, expiresAt: null };
    return { isValid: this.isUsable(stored), expiresAt: stored.expiresAt === null ? null : new Date(stored.expiresAt) };
  }

  forget(topic: string, id: string): void {
    if (topic === Topic.Credential) for (const name of this.headerNames) this.cache.forget(cacheKey(name, id));
    if (topic === Topic.CredentialOwner) this.cache.forgetWhere((credential) => credential?.principal.id === id);
  }

  forgetAll(): void {
    this.cache.clear();
  }

  private requireNotThrottled(headerName: string, address: string, credentialId: string): void {
    const remaining = this.limiter.refusedFor(address, credentialId);
    if (remaining === 0) return;
    const seconds = Math.ceil(remaining / 1000);
    throw unauthorized(
      `Authentication failed too often: the credential in ${headerName} was not checked. Try again in ${seconds} seconds.`,
    );
  }

  private isUsable(credential: StoredCredential<unknown>): boolean {
    const now = this.clock.milliseconds();
    return (
      !credential.isRevoked &&
      credential.isOwnerActive &&
      (credential.expiresAt === null || credential.expiresAt > now) &&
      (credential.lockedUntil === null || credential.lockedUntil <= now)
    );
  }
}

function cacheKey(headerName: string, credentialId: string): string {
  return `${headerName} ${credentialId}`;
}

function refused(headerName: string): Error {
  return unauthorized(`The credential in ${headerName} is not valid.`);
}
