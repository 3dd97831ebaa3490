import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';
import passport from 'passport';
import { Strategy } from 'passport-custom';

import { TrustedProxies } from '../common/trusted-proxies.js';
import { Settings } from '../config/settings.js';
import type { Principal } from './principal.js';
import { selectScheme, type Scheme } from './scheme-selection.js';
import { ApiKeyScheme } from './schemes/api-key.scheme.js';
import type { AuthenticationScheme } from './schemes/authentication-scheme.js';
import { BearerScheme } from './schemes/bearer.scheme.js';
import { LogonTokenScheme } from './schemes/logon-token.scheme.js';
import { PersonalAccessTokenScheme } from './schemes/personal-access-token.scheme.js';
import { SessionCookieScheme } from './schemes/session-cookie.scheme.js';

/** Runs one strategy on a request; passport calls back with its outcome. */
type RunStrategy = (request: IncomingMessage, response: null, next: (error: unknown) => void) => void;

/** Picks the scheme of a request and yields its principal. Serves HTTP requests and hub upgrades alike. */
@Injectable()
export class AuthenticationService {
  private readonly passport = new passport.Passport();
  private readonly schemes: readonly AuthenticationScheme[];

  constructor(
    private readonly settings: Settings,
    private readonly proxies: TrustedProxies,
    apiKey: ApiKeyScheme,
    personalAccessToken: PersonalAccessTokenScheme,
    session: SessionCookieScheme,
    bearer: BearerScheme,
    logonToken: LogonTokenScheme,
  ) {
    this.schemes = [logonToken, bearer, personalAccessToken, apiKey, session];
    for (const scheme of this.schemes) this.register(scheme);
  }

  /**
   * The principal of a request; null when it carries no credential. A credential that is present and wrong throws a domain
   * error (400 malformed, 401 otherwise) and never falls through to another scheme.
   */
  authenticate(request: IncomingMessage): Promise<Principal | null> {
    const scheme = selectScheme(request, { isBearerEnabled: this.settings.appOptions.enableInteractiveBearerLogin });
    return this.run(scheme, request);
  }

  /** Whether a principal that authenticated when a long-lived connection began may still act. */
  async isStillValid(principal: Principal): Promise<boolean> {
    for (const scheme of this.schemes) {
      const isValid = scheme.isStillValid?.(principal) ?? null;
      if (isValid !== null) return isValid;
    }
    return false;
  }

  /** The client's address behind trusted proxies. */
  addressOf(request: IncomingMessage): string {
    return this.proxies.addressOf(request);
  }

  private register(scheme: AuthenticationScheme): void {
    const strategy = new Strategy((request, done) => {
      void callBack(scheme.authenticate(request, this.proxies.addressOf(request)), done);
    });
    this.passport.use(scheme.scheme, strategy);
  }

  private run(scheme: Scheme, request: IncomingMessage): Promise<Principal | null> {
    return new Promise((resolve, reject) => {
      const outcome = (error: unknown, principal: Principal | false): void => {
        if (error === null || error === undefined) resolve(principal === false ? null : principal);
        else reject(error);
      };
      const run = this.passport.authenticate(scheme, { session: false }, outcome) as unknown as RunStrategy;
      run(request, null, reject);
    });
  }
}

/** Tells passport how an attempt ended. */
async function callBack(attempt: Promise<Principal | null>, done: (error: unknown, principal?: Principal | false) => void): Promise<void> {
  let principal: Principal | null;
  try {
    principal = await attempt;
  } catch (error) {
    done(error);
    return;
  }
  done(null, principal ?? false);
}
