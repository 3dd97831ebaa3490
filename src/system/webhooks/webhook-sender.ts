import { lookup, type LookupAddress } from 'node:dns';
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';

import { Injectable } from '@nestjs/common';

import { messageOf } from '../../platform/common/errors/errors.js';
import { Settings } from '../../platform/config/settings.js';
import { isPublicAddress } from './public-address.js';

/** Time-out of an attempt, from the look-up of the name to the end of the answer, in milliseconds. */
export class WebhookSenderLimits {
  readonly timeoutMs: number = 10_000;
}

/** Longest answer that is read, in bytes. Nothing of it is used. */
const MAXIMUM_ANSWER = 64 * 1024;
const NOT_PUBLIC = 'The address is not of the public internet. AllowPrivateAddresses of the server would allow it.';
const USER_AGENT = 'device-management-webhooks';

/** Outcome of an attempt. */
export interface SendOutcome {
  readonly isDelivered: boolean;
  /** HTTP status; null without an answer. */
  readonly status: number | null;
  /** Reason of a failure; null after a success. */
  readonly error: string | null;
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
  send(url: string, headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal): Promise<SendOutcome> {
    return new Promise((settle) => {
      const timeout = AbortSignal.timeout(this.limits.timeoutMs);
      const either = AbortSignal.any([signal, timeout]);
      let status: number | null = null;
      const fail = (error: unknown): void => {
        const reason = timeout.aborted ? `No complete answer within ${this.limits.timeoutMs / 1_000} s.` : messageOf(error);
        settle({ isDelivered: false, status, error: reason });
      };
      try {
        const target = new URL(url);
        if (!this.allowsPrivate && isIP(hostOf(target)) !== 0 && !isPublicAddress(hostOf(target))) throw new Error(NOT_PUBLIC);
        const sent = {
          ...headers,
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          'user-agent': USER_AGENT,
        };
        // Without an agent each attempt has a connection of its own.
        const options: RequestOptions = { method: 'POST', agent: false, headers: sent, lookup: this.checkedLookup, signal: either };
        const sending = (target.protocol === 'https:' ? requestHttps : requestHttp)(target, options);
        sending.once('error', fail);
        sending.once('response', (response) => {
          status = response.statusCode ?? null;
          readAnswer(response, settle, fail);
        });
        sending.end(body);
      } catch (error) {
        fail(error);
      }
    });
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

/** Reads an answer to its end, within bounds. */
function readAnswer(response: IncomingMessage, settle: (outcome: SendOutcome) => void, fail: (error: unknown) => void): void {
  const status = response.statusCode ?? 0;
  const isRedirect = status >= 300 && status < 400;
  let size = 0;
  response.on('data', (piece: Buffer) => {
    size += piece.length;
    if (size > MAXIMUM_ANSWER) response.destroy(new Error(`The answer is longer than ${MAXIMUM_ANSWER / 1_024} KiB.`));
  });
  response.once('error', fail);
  response.once('end', () => {
    if (status >= 200 && status < 300) settle({ isDelivered: true, status, error: null });
    else fail(new Error(`The receiver answered ${status}${isRedirect ? ': redirects are not followed' : ''}.`));
  });
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
