import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { DomainError, ErrorCode, forbidden } from '../../../platform/common/errors/errors.js';
import { Origins } from '../../../platform/http/addresses/origins.js';
import type { Principal } from '../principals/principal.js';
import type { AuthenticationScheme, CredentialStanding } from '../schemes/authentication-scheme.js';
import { Scheme } from '../schemes/scheme-selection.js';
import { SessionCookie } from './session-cookie.js';
import { sessionIdOf, Sessions } from './sessions.js';

/**
 * The session cookie of a browser. Only this scheme reads cookies, so that the origin of the page is checked for every route and hub
 * that accepts them.
 */
@Injectable()
export class SessionCookieScheme implements AuthenticationScheme {
  readonly scheme = Scheme.Session;

  constructor(
    private readonly cookie: SessionCookie,
    private readonly sessions: Sessions,
    private readonly origins: Origins,
  ) {}

  async authenticate(request: IncomingMessage): Promise<Principal | null> {
    const value = this.cookie.read(request);
    if (value === null) return null;
    if (!this.origins.allows(request)) {
      throw forbidden('A page of another origin may not act with the session of this service: list it in CorsAllowedOrigins.');
    }
    const principal = await this.sessions.principalOf(value);
    if (principal !== null) return principal;
    const headers = { 'Set-Cookie': this.cookie.cleared(request) };
    throw new DomainError(ErrorCode.Unauthorized, 'The session has ended. Sign in again.', undefined, headers);
  }

  isStillValid(principal: Principal): Promise<boolean> | null {
    const id = sessionIdOf(principal);
    return id === null ? null : this.sessions.isOpen(id);
  }

  standingIn(manager: EntityManager, principal: Principal): Promise<CredentialStanding> | null {
    const id = sessionIdOf(principal);
    return id === null ? null : this.sessions.standingIn(manager, id);
  }
}
