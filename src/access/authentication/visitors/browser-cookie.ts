import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';
import type { Response } from 'express';

import { Cookies } from '../../../platform/http/cookies.js';

/** Name of the cookie that marks a browser. */
export const BROWSER_COOKIE = 'device-management-browser';

const VALUE_BYTES = 32;
const VALUE = /^[\w-]{43}$/;
const DAY_S = 86_400;
/** The longest time for which browsers keep a cookie, in seconds. */
const LIFETIME_S = 400 * DAY_S;

/**
 * The cookie that marks a browser in which a user has signed in before. It opens nothing: it only spares the browser the wait and the
 * lock-out that unknown browsers may cause.
 */
@Injectable()
export class BrowserCookie {
  constructor(private readonly cookies: Cookies) {}

  /** The browser of a request; null without a cookie that the service could have made. */
  read(request: IncomingMessage): string | null {
    const value = this.cookies.read(request, BROWSER_COOKIE);
    return value !== null && VALUE.test(value) ? value : null;
  }

  /** A value for a browser that has no cookie yet. */
  newValue(): string {
    return randomBytes(VALUE_BYTES).toString('base64url');
  }

  /** Gives the browser the cookie, for 400 days from now. */
  set(response: Response, value: string): void {
    const options = { maximumAge: LIFETIME_S, sameSite: 'Lax' } as const;
    response.append('Set-Cookie', this.cookies.text(response.req, BROWSER_COOKIE, value, options));
  }
}
