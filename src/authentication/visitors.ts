import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';

import { TrustedProxies } from '../http/trusted-proxies.js';

/** What is noted about the browser of somebody who signs in. */
export interface Visitor {
  /** The address behind trusted proxies. */
  readonly remoteAddress: string;
  /** What the browser says of itself; null when it says nothing. */
  readonly userAgent: string | null;
}

/** Reads from requests who visits. */
@Injectable()
export class Visitors {
  constructor(private readonly proxies: TrustedProxies) {}

  of(request: IncomingMessage): Visitor {
    return { remoteAddress: this.proxies.addressOf(request), userAgent: request.headers['user-agent'] ?? null };
  }
}
