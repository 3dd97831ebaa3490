import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';
import proxyAddr from 'proxy-addr';

import { Settings } from '../config/settings.js';

/** Longest textual form of an address that is stored (`ipAddress`, `remoteIpAddress`). */
const MAXIMUM_ADDRESS_LENGTH = 64;

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
    return plainAddress(proxyAddr(request, this.trusts)).slice(0, MAXIMUM_ADDRESS_LENGTH);
  }
}

/** An IPv4 address that a dual-stack socket shows as `::ffff:a.b.c.d`, in its plain form; others as they are. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}
