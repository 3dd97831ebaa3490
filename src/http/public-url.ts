import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { Settings } from '../config/settings.js';
import { invalid } from '../common/errors.js';

const NOWHERE = { href: '', origin: '' };

/** The address under which browsers and agents reach the service: the configured one, or the one that the request came to. */
@Injectable()
export class PublicUrl {
  constructor(private readonly settings: Settings) {}

  /** The address without a slash at its end. What a proxy forwards of scheme and host counts when the proxy is trusted. */
  of(request: Request): string {
    const { publicUrl } = this.settings.appOptions;
    if (publicUrl !== '') return publicUrl;
    const address = `${request.protocol}://${request.host ?? ''}`;
    const { href, origin } = URL.canParse(address) ? new URL(address) : NOWHERE;
    // A path, a query or a user name is no part of a host.
    if (href !== `${origin}/`) throw invalid('The Host header names no host.');
    return origin;
  }
}
