import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';

import { unauthorized } from '../../common/errors.js';
import type { Principal } from '../principal.js';
import { Scheme } from '../scheme-selection.js';
import type { AuthenticationScheme } from './authentication-scheme.js';

/** Name of the cookie that carries an interactive session. */
export const SESSION_COOKIE = 'device-management-session';

/** The session cookie of a browser. The service does not issue sessions yet, so each cookie is refused. */
@Injectable()
export class SessionCookieScheme implements AuthenticationScheme {
  readonly scheme = Scheme.Session;

  authenticate(request: IncomingMessage): Promise<Principal | null> {
    const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
    if (!cookies.some((cookie) => cookie.startsWith(`${SESSION_COOKIE}=`))) return Promise.resolve(null);
    return Promise.reject(unauthorized('The session is not valid.'));
  }
}
