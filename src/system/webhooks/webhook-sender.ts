import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

import { Injectable } from '@nestjs/common';

import { Settings } from '../../platform/config/settings.js';
import { post, type PostOutcome } from '../../platform/http/outgoing-post.js';
import { isPublicAddress } from './public-address.js';

/** Time-out of an attempt, from the look-up of the name to the end of the answer, in milliseconds. */
export class WebhookSenderLimits {
  readonly timeoutMs: number = 10_000;
}

const NOT_PUBLIC = 'The address is not of the public internet. AllowPrivateAddresses of the server would allow it.';
const USER_AGENT = 'device-management-webhooks';

/** Outcome of an attempt. */
export interface SendOutcome extends PostOutcome {
  readonly isDelivered: boolean;
}

/**
 * Sends requests to webhooks. Names are resolved once for each connection, and the address of the connection is the one that was checked: a
 * name cannot lead elsewhere in between. Follows no redirects and uses no proxy.
 */
@Injectable()
export class WebhookSender {
  constructor(
    private readonly settings: Settings,
    private readonly limits: WebhookSenderLimits,
  ) {}

  /** The reason why a webhook may not have this address now; null if it may. */
  async refusalOf(text: string): Promise<string | null> {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || !['https:', 'http:'].includes(url.protocol)) return 'must be an address that begins with https://';
    if (url.username !== '' || url.password !== '') return 'must contain no user name and no password';
    if (this.allowsPrivate) return null;
    if (url.protocol !== 'https:') return 'must be an address that begins with https://';
    const host = hostOf(url);
    if (isIP(host) !== 0) return isPublicAddress(host) ? null : 'must not lead to an address of a private network';
    const addresses = await resolve(host);
    if (addresses === null) return `must have a host that can be found: ${host} has no address`;
    return addresses.every(({ address }) => isPublicAddress(address)) ? null : 'must not lead to an address of a private network';
  }

  /** Sends a body, and waits for the whole answer. Never rejects. */
  async send(url: string, headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal): Promise<SendOutcome> {
    const target = new URL(url);
    if (!this.allowsPrivate && isIP(hostOf(target)) !== 0 && !isPublicAddress(hostOf(target))) {
      return { isDelivered: false, status: null, error: NOT_PUBLIC };
    }
    const timeout = AbortSignal.timeout(this.limits.timeoutMs);
    const { status, error } = await post(target, {
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': USER_AGENT },
      body,
      signal: AbortSignal.any([signal, timeout]),
      lookup: this.checkedLookup,
    });
    if (error === null) return { isDelivered: true, status, error };
    return { isDelivered: false, status, error: timeout.aborted ? `No complete answer within ${this.limits.timeoutMs / 1_000} s.` : error };
  }

  private get allowsPrivate(): boolean {
    return this.settings.webhooks.allowPrivateAddresses;
  }

  private readonly checkedLookup: LookupFunction = (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error !== null) return done(error, '');
      const refused = !this.allowsPrivate && !addresses.every(({ address }) => isPublicAddress(address));
      if (refused || addresses.length === 0) return done(new Error(NOT_PUBLIC), '');
      if (options.all === true) return done(null, addresses);
      return done(null, addresses[0].address, addresses[0].family);
    });
  };
}

/** The host of an address, an IPv6 one without brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function resolve(host: string): Promise<LookupAddress[] | null> {
  return new Promise((settle) => {
    lookup(host, { all: true }, (error, addresses) => settle(error !== null || addresses.length === 0 ? null : addresses));
  });
}
