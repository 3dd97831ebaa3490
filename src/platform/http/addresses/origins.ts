import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';

import { Settings } from '../../config/settings.js';
import { isAtHost } from './host.js';
import { PublicUrl } from './public-url.js';

/**
 * Decides which web pages may use credentials that a browser sends by itself, such as cookies: those of the service's own address, of
 * its public address, and of the origins that CORS allows.
 */
@Injectable()
export class Origins {
  constructor(
    private readonly settings: Settings,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** Checks whether the request comes from such a page, or from no page: programs that are no browsers send no `Origin`. */
  allows(request: IncomingMessage): boolean {
    const { origin } = request.headers;
    if (origin === undefined) return true;
    // Sandboxed pages and files send 'null'.
    if (!URL.canParse(origin)) return false;
    const page = new URL(origin);
    // A foreign page cannot choose the host of its requests.
    return isAtHost(page, this.publicUrl.calledHost(request).host) || this.configured.includes(page.origin);
  }

  /** The origins that do not depend on what the caller sends: that of the public address, and those that CORS allows. */
  get configured(): readonly string[] {
    const { enableCors, corsAllowedOrigins } = this.settings.appOptions;
    const own = new URL(this.publicUrl.own).origin;
    return enableCors ? [own, ...corsAllowedOrigins] : [own];
  }
}
