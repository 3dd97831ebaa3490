import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

import { invalid } from '../common/errors.js';
import { hostInUrl } from '../config/url-text.js';
import { Settings } from '../config/settings.js';
import { TrustedProxies } from './trusted-proxies.js';

/** Addresses that stand for all network interfaces. With one of them, the service can be reached as localhost. */
const ALL_ADDRESSES: readonly string[] = ['0.0.0.0', '::'];

/**
 * The address under which browsers and agents reach the service: the configured one, or else the one that a trusted
 * proxy names, or else the address of this machine. The `Host` header is never used, because a caller could set it to
 * make the service send links to another server.
 */
@Injectable()
export class PublicUrl {
  constructor(
    private readonly settings: Settings,
    private readonly proxies: TrustedProxies,
    private readonly adapters: HttpAdapterHost,
  ) {}

  /** The address without a trailing slash; 400 when a trusted proxy names something that is not a host. */
  of(request: IncomingMessage): string {
    const { publicUrl } = this.settings.appOptions;
    return publicUrl !== '' ? publicUrl : (this.namedByProxy(request) ?? this.ownAddress());
  }

  private namedByProxy({ headers, socket }: IncomingMessage): string | null {
    const host = lastOf(headers['x-forwarded-host']);
    if (host === undefined || !this.proxies.trusts(socket.remoteAddress ?? '', 0)) return null;
    const scheme = lastOf(headers['x-forwarded-proto']) === 'https' ? 'https' : 'http';
    const address = `${scheme}://${host}`;
    const url = URL.canParse(address) ? new URL(address) : null;
    // A host cannot contain a path, a query or a user name.
    if (url === null || url.href !== `${url.origin}/`) throw invalid('The X-Forwarded-Host header does not name a host.');
    return url.origin;
  }

  private ownAddress(): string {
    const server: Server = this.adapters.httpAdapter.getHttpServer();
    const { address, port } = server.address() as AddressInfo;
    return `http://${ALL_ADDRESSES.includes(address) ? 'localhost' : hostInUrl(address)}:${port}`;
  }
}

/** The last entry of a header that proxies append to. It comes from the nearest proxy; earlier entries may come from the caller. */
function lastOf(header: string | string[] | undefined): string | undefined {
  const entries = Array.isArray(header) ? header.join() : header;
  return entries?.split(',').at(-1)?.trim();
}
