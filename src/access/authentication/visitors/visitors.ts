import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';

import { TrustedProxies } from '../../../platform/http/addresses/trusted-proxies.js';
import { BrowserCookie } from './browser-cookie.js';

/** Longest stored description of a browser by itself, in characters: the length of the columns. */
const MAXIMUM_USER_AGENT_LENGTH = 256;

/** The browser of a visitor. */
export interface Visitor {
  /** The address behind trusted proxies. */
  readonly remoteAddress: string;
  /** The browser's description of itself, at most 256 characters of it; null when it gives none. */
  readonly userAgent: string | null;
  /** The value of the cookie that marks the browser; null without one. */
  readonly browser: string | null;
}

/** Reads the visitor of a request. */
@Injectable()
export class Visitors {
  constructor(
    private readonly proxies: TrustedProxies,
    private readonly browsers: BrowserCookie,
  ) {}

  of(request: IncomingMessage): Visitor {
    const userAgent = request.headers['user-agent']?.slice(0, MAXIMUM_USER_AGENT_LENGTH) ?? null;
    return { remoteAddress: this.proxies.addressOf(request), userAgent, browser: this.browsers.read(request) };
  }
}
