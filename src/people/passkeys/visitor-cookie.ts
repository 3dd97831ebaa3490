import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Cookies } from '../../platform/http/cookies.js';
import { CHALLENGE_LIFETIME_MS } from './passkey-challenges.js';

const NAME = 'device-management-visitor';
const VALUE_BYTES = 16;
const VALUE = /^[\w-]{22}$/;

/**
 * Tells visitors who are not signed in apart, so that a challenge is answered by the browser that asked for it. The cookie proves
 * nothing by itself.
 */
@Injectable()
export class VisitorCookie {
  constructor(private readonly cookies: Cookies) {}

  /** The visitor of a request; null without a cookie that the service could have made. */
  read(request: Request): string | null {
    const value = this.cookies.read(request, NAME);
    return value !== null && VALUE.test(value) ? value : null;
  }

  /** The visitor of a request, whose browser gets the cookie for as long as a challenge lasts. Pages that are open at once share it. */
  remember(request: Request, response: Response): string {
    const visitor = this.read(request) ?? randomBytes(VALUE_BYTES).toString('base64url');
    const options = { maximumAge: CHALLENGE_LIFETIME_MS / 1000, sameSite: 'Strict' } as const;
    response.append('Set-Cookie', this.cookies.text(request, NAME, visitor, options));
    return visitor;
  }
}
