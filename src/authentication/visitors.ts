import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';

import { PublicUrl } from '../http/public-url.js';
import { TrustedProxies } from '../http/trusted-proxies.js';

/** Longest text of a browser about itself that is kept, in characters: what the columns hold. */
const MAXIMUM_USER_AGENT_LENGTH = 256;

/** What is noted about the browser of somebody who signs in. */
export interface NotedVisitor {
  /** The address behind trusted proxies. */
  readonly remoteAddress: string;
  /** What the browser says of itself, at most 256 characters of it; null when it says nothing. */
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
    const userAgent = request.headers['user-agent']?.slice(0, MAXIMUM_USER_AGENT_LENGTH) ?? null;
    return { remoteAddress: this.proxies.addressOf(request), userAgent, serviceAddress: this.publicUrl.of(request) };
  }
}
