import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';
import type { Response } from 'express';

import { Clock } from '../../common/clock.js';
import { PublicUrl } from '../../http/public-url.js';
import type { OpenedSession } from './sessions.js';

/** Name of the cookie that carries a session. */
export const SESSION_COOKIE = 'device-management-session';
/** A browser takes a cookie of this name from its own host only, over TLS, so that no other host can plant one. */
const SECURE_SESSION_COOKIE = `__Host-${SESSION_COOKIE}`;

/** Most of a `Cookie` header that is searched, in characters. */
const MAXIMUM_HEADER_LENGTH = 16 * 1024;

/**
 * The cookie of a session. Scripts cannot read it, other sites cannot send it with their requests, and where the service is reached
 * over TLS it is sent over TLS only.
 */
@Injectable()
export class SessionCookie {
  constructor(
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
  ) {}

  /** The value in a request; null without the cookie. */
  read(request: IncomingMessage): string | null {
    const header = request.headers.cookie;
    if (header === undefined || header.length > MAXIMUM_HEADER_LENGTH || !header.includes(SESSION_COOKIE)) return null;
    const prefix = `${this.nameFor(request)}=`;
    for (const part of header.split(';')) {
      const pair = part.trim();
      if (pair.startsWith(prefix)) return pair.slice(prefix.length);
    }
    return null;
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
    const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax'];
    if (this.isSecure(request)) attributes.push('Secure');
    if (maximumAge !== null) attributes.push(`Max-Age=${maximumAge}`);
    return [`${this.nameFor(request)}=${value}`, ...attributes].join('; ');
  }

  private nameFor(request: IncomingMessage): string {
    return this.isSecure(request) ? SECURE_SESSION_COOKIE : SESSION_COOKIE;
  }

  private isSecure(request: IncomingMessage): boolean {
    return this.publicUrl.of(request).startsWith('https:');
  }
}
