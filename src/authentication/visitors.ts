import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';

import { PublicUrl } from '../http/public-url.js';
import { TrustedProxies } from '../http/trusted-proxies.js';

/** What is noted about the browser of somebody who signs in. */
export interface NotedVisitor {
  /** The address behind trusted proxies. */
  readonly remoteAddress: string;
  /** What the browser says of itself; null when it says nothing. */
  readonly userAgent: string | null;
}

/** Somebody who visits, and where: the address under which the visitor reached the service is for links in mails. */
export interface Visitor extends NotedVisitor {
  readonly serviceAddress: string;
}

/** Reads from requests who visits. */
@Injectable()
export class Visitors {
  constructor(
    private readonly proxies: TrustedProxies,
    private readonly publicUrl: PublicUrl,
  ) {}

  of(request: IncomingMessage): Visitor {
    const userAgent = request.headers['user-agent'] ?? null;
    return { remoteAddress: this.proxies.addressOf(request), userAgent, serviceAddress: this.publicUrl.of(request) };
  }
}
