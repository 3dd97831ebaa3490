import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Settings } from '../../platform/config/settings.js';
import type { InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { TrustedProxies } from '../../platform/http/addresses/trusted-proxies.js';
import { challengeOf } from '../../platform/http/problems/problem-details.js';
import { ApiKeyScheme } from './credentials/api-key.scheme.js';
import { CredentialsRepository } from './credentials/credentials.repository.js';
import { LogonTokenScheme } from './credentials/logon-token.scheme.js';
import { PersonalAccessTokenScheme } from './credentials/personal-access-token.scheme.js';
import { credentialIdOf, type Principal } from './principals/principal.js';
import type { RequestContext } from './principals/request-context.js';
import { attempt } from './schemes/authentication-attempt.js';
import type { AuthenticationScheme, CredentialStanding } from './schemes/authentication-scheme.js';
import { selectScheme, type Scheme } from './schemes/scheme-selection.js';
import { BearerScheme } from './sessions/bearer.scheme.js';
import { RecentProof } from './sessions/recent-proof.js';
import { SessionCookieScheme } from './sessions/session-cookie.scheme.js';

/** The part of a token that comes from the credential with which it was made. */
export interface TokenBinding {
  /** The token ends with this credential. Null when no stored credential made it. */
  readonly madeWithCredentialId: string | null;
  /** Expiry of this credential, and with it of the token and what the token opens; null when it never expires. */
  readonly makerExpiresAt: Date | null;
}

/** The earlier of two ends, of which null is none. */
export function earlierOf(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** Selects the scheme of a request and returns its principal. HTTP requests and hub upgrades both use it. */
@Injectable()
export class AuthenticationService {
  private readonly schemes: readonly AuthenticationScheme[];
  private readonly schemesByName: ReadonlyMap<Scheme, AuthenticationScheme>;

  constructor(
    private readonly settings: Settings,
    private readonly proxies: TrustedProxies,
    private readonly credentials: CredentialsRepository,
    private readonly proof: RecentProof,
    apiKey: ApiKeyScheme,
    personalAccessToken: PersonalAccessTokenScheme,
    session: SessionCookieScheme,
    bearer: BearerScheme,
    logonToken: LogonTokenScheme,
  ) {
    this.schemes = [logonToken, bearer, personalAccessToken, apiKey, session];
    this.schemesByName = new Map(this.schemes.map((scheme) => [scheme.scheme, scheme]));
  }

  /**
   * The principal of a request; null when it carries no credential. A wrong credential throws a domain error (400
   * malformed, 401 otherwise); other schemes are not tried.
   */
  authenticate(request: IncomingMessage): Promise<Principal | null> {
    const name = selectScheme(request, { isBearerEnabled: this.settings.appOptions.enableInteractiveBearerLogin });
    const scheme = this.schemesByName.get(name);
    if (scheme === undefined) throw new Error(`There is no authentication scheme ${name}.`);
    return attempt(scheme, request, this.proxies.addressOf(request));
  }

  /** Checks whether the principal of a long-lived connection may still act. */
  isStillValid(principal: Principal): Promise<boolean> {
    for (const scheme of this.schemes) {
      const isValid = scheme.isStillValid?.(principal) ?? null;
      if (isValid !== null) return isValid;
    }
    return Promise.resolve(false);
  }

  /** Returns the standing of a principal's credential as a connection to the database sees it: for the transaction of a change. */
  async standingIn(manager: EntityManager, principal: Principal): Promise<CredentialStanding> {
    for (const scheme of this.schemes) {
      const standing = scheme.standingIn?.(manager, principal) ?? null;
      if (standing !== null) return standing;
    }
    return { isValid: false, expiresAt: null };
  }

  /**
   * Binds a token to the credential with which the caller makes it. The credential is locked until the transaction ends, so that nobody can
   * end it in between and miss the new token. A user who signed in recently may make any token.
   */
  async bindToken({ manager, principal }: InTransaction<RequestContext>): Promise<TokenBinding> {
    const madeWithCredentialId = credentialIdOf(principal);
    if (this.proof.isRecent(principal) === true) return { madeWithCredentialId, makerExpiresAt: null };
    if (madeWithCredentialId !== null) await this.credentials.hold(manager, madeWithCredentialId);
    const { expiresAt } = await this.standingIn(manager, principal);
    return { madeWithCredentialId, makerExpiresAt: expiresAt };
  }

  /** Schemes that a 401 offers in `WWW-Authenticate`. */
  get challenge(): string {
    return challengeOf({ isBearerEnabled: this.settings.appOptions.enableInteractiveBearerLogin });
  }

  /** The client's address behind trusted proxies. */
  addressOf(request: IncomingMessage): string {
    return this.proxies.addressOf(request);
  }
}
