import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';
import type { Response } from 'express';

import { Clock } from '../../../platform/common/runtime/clock.js';
import { Cookies } from '../../../platform/http/cookies.js';
import type { OpenedSession } from './sessions.js';

/** Name of the cookie that carries a session. */
export const SESSION_COOKIE = 'device-management-session';

/** The cookie of a session. */
@Injectable()
export class SessionCookie {
  constructor(
    private readonly cookies: Cookies,
    private readonly clock: Clock,
  ) {}

  /** The value in a request; null without the cookie. */
  read(request: IncomingMessage): string | null {
    return this.cookies.read(request, SESSION_COOKIE);
  }

  /** Gives the browser the cookie of a session. */
  set(response: Response, { cookie, isPersistent, expiresAt }: OpenedSession): void {
    const seconds = Math.max(0, Math.floor((expiresAt.getTime() - this.clock.milliseconds()) / 1000));
    response.append('Set-Cookie', this.text(response.req, cookie, isPersistent ? seconds : null));
  }

  /** Takes the cookie from the browser. */
  clear(response: Response): void {
    response.append('Set-Cookie', this.cleared(response.req));
  }

  /** The `Set-Cookie` header that takes the cookie from the browser. */
  cleared(request: IncomingMessage): string {
    return this.text(request, '', 0);
  }

  private text(request: IncomingMessage, value: string, maximumAge: number | null): string {
    return this.cookies.text(request, SESSION_COOKIE, value, { maximumAge, sameSite: 'Lax' });
  }
}
