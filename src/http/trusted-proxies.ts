import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

import { Injectable } from '@nestjs/common';
import proxyAddr from 'proxy-addr';

import { Settings } from '../config/settings.js';

/**
 * Decides whose `X-Forwarded-*` headers count: loopback, the configured proxies and networks, nobody else. Throttling,
 * rate limits and a device's public address depend on it.
 */
@Injectable()
export class TrustedProxies {
  /** Whether a hop at this address may speak for its client; Express takes it as its `trust proxy` function. */
  readonly trusts: (address: string, hop: number) => boolean;

  constructor(settings: Settings) {
    const { enableNetworkTrust, knownProxies, knownNetworks, dockerGatewayIp } = settings.appOptions;
    const known = ['loopback', ...knownProxies, ...knownNetworks, ...(dockerGatewayIp === '' ? [] : [dockerGatewayIp])];
    const compiled = proxyAddr.compile(known);
    this.trusts = enableNetworkTrust ? () => true : (address, hop) => compiled(plainAddress(address), hop);
  }

  /** The client's address behind trusted proxies, IPv4 in its plain form; empty when the socket is gone. */
  addressOf(request: IncomingMessage): string {
    const direct = plainAddress(request.socket.remoteAddress ?? '');
    if (request.headers['x-forwarded-for'] === undefined || direct === '') return direct;
    const forwarded = plainAddress(proxyAddr(request, this.trusts));
    // A proxy that forwards something else than an address has told nothing.
    return isIP(forwarded) === 0 ? direct : forwarded;
  }
}

/** An IPv4 address that a dual-stack socket shows as `::ffff:a.b.c.d`, in its plain form; others as they are. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}
