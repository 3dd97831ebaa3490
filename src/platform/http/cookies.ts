import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';

import { PublicUrl } from './addresses/public-url.js';

/** A cookie's lifetime and scope in a browser. */
export interface CookieOptions {
  /** Seconds until the browser drops it; 0 takes it away, null keeps it until the browser closes. */
  readonly maximumAge: number | null;
  /** `Lax` sends it when a user follows a link to the service from elsewhere, `Strict` does not. */
  readonly sameSite: 'Lax' | 'Strict';
}

/** Most of a `Cookie` header that is searched, in characters. */
const MAXIMUM_HEADER_LENGTH = 16 * 1024;

/**
 * The cookies of the service. Scripts cannot read them, and other sites cannot send them with their requests. Where the service is
 * reached over TLS they are sent over TLS only, and their names begin with `__Host-`: a browser takes such a cookie from its own host
 * only, so that no other host can plant one.
 */
@Injectable()
export class Cookies {
  constructor(private readonly publicUrl: PublicUrl) {}

  /** The value in a request; null without the cookie. */
  read(request: IncomingMessage, name: string): string | null {
    const header = request.headers.cookie;
    if (header === undefined || header.length > MAXIMUM_HEADER_LENGTH || !header.includes(name)) return null;
    const prefix = `${this.nameFor(request, name)}=`;
    for (const part of header.split(';')) {
      const pair = part.trim();
      if (pair.startsWith(prefix)) return pair.slice(prefix.length);
    }
    return null;
  }

  /** The `Set-Cookie` header that gives the browser a cookie. */
  text(request: IncomingMessage, name: string, value: string, { maximumAge, sameSite }: CookieOptions): string {
    const attributes = ['Path=/', 'HttpOnly', `SameSite=${sameSite}`];
    if (this.publicUrl.isSecure(request)) attributes.push('Secure');
    if (maximumAge !== null) attributes.push(`Max-Age=${maximumAge}`);
    return [`${this.nameFor(request, name)}=${value}`, ...attributes].join('; ');
  }

  private nameFor(request: IncomingMessage, name: string): string {
    return this.publicUrl.isSecure(request) ? `__Host-${name}` : name;
  }
}
