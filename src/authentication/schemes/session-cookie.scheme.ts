import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';

import { forbidden, unauthorized } from '../../common/errors.js';
import { Origins } from '../../http/origins.js';
import type { Principal } from '../principal.js';
import { Scheme } from '../scheme-selection.js';
import type { AuthenticationScheme } from './authentication-scheme.js';

/** Name of the cookie that carries an interactive session. */
export const SESSION_COOKIE = 'device-management-session';

/**
 * The session cookie of a browser. Cookies are read only here, so the origin of the page is checked for every route that accepts them.
 * The service does not issue sessions yet, so each cookie is refused.
 */
@Injectable()
export class SessionCookieScheme implements AuthenticationScheme {
  readonly scheme = Scheme.Session;

  constructor(private readonly origins: Origins) {}

  authenticate(request: IncomingMessage): Promise<Principal | null> {
    const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
    if (!cookies.some((cookie) => cookie.startsWith(`${SESSION_COOKIE}=`))) return Promise.resolve(null);
    if (!this.origins.allows(request)) {
      return Promise.reject(
        forbidden('A page of another origin may not act with the session of this service: list it in CorsAllowedOrigins.'),
      );
    }
    return Promise.reject(unauthorized('The session is not valid.'));
  }
}
