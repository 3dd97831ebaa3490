import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

import { Injectable } from '@nestjs/common';
import proxyAddr from 'proxy-addr';

import { Settings } from '../../config/settings.js';
import { edgeOf } from './edge.js';

/**
 * Decides whose `X-Forwarded-*` headers are trusted. Throttling, rate limits and the public address of a device depend on
 * `X-Forwarded-For`, which loopback and the configured proxies and networks may send. Links depend on the other headers, which the
 * configured ones alone may send: many programs of a machine pass on what their callers say.
 */
@Injectable()
export class TrustedProxies {
  /** Checks whether a hop at this address is trusted to name its client. Express uses it as its `trust proxy` function. */
  readonly trusts: (address: string, hop: number) => boolean;
  /** Checks whether a proxy or network with this address is configured. */
  readonly isConfigured: (address: string) => boolean;

  constructor(settings: Settings) {
    const { enableNetworkTrust, knownProxies, knownNetworks, dockerGatewayIp } = settings.appOptions;
    const configured = [...knownProxies, ...knownNetworks, ...(dockerGatewayIp === '' ? [] : [dockerGatewayIp])];
    const compiled = proxyAddr.compile(['loopback', ...configured]);
    const named = proxyAddr.compile(configured);
    this.isConfigured = (address) => named(plainAddress(address), 0);
    this.trusts = enableNetworkTrust ? () => true : (address, hop) => compiled(plainAddress(address), hop);
  }

  /** The client's address behind trusted proxies, with IPv4 in its plain form; empty when the socket is closed. */
  addressOf(request: IncomingMessage): string {
    const edge = edgeOf(request);
    if (edge !== undefined) return edge.address;
    const direct = plainAddress(request.socket.remoteAddress ?? '');
    if (request.headers['x-forwarded-for'] === undefined || direct === '') return direct;
    // The zone of an address means something to the machine that wrote it only, and may be of any length.
    const [forwarded] = plainAddress(proxyAddr(request, this.trusts)).split('%');
    // A forwarded value that is not an address is ignored.
    return isIP(forwarded) === 0 ? direct : forwarded;
  }
}

/** Converts an IPv4 address of the form `::ffff:a.b.c.d`, which dual-stack sockets report, to its plain form. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}
