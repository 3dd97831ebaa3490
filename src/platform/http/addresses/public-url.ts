import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

import { invalid } from '../../common/errors/errors.js';
import { Settings } from '../../config/settings.js';
import { hostInUrl, UNSPECIFIED_ADDRESSES } from '../../config/url-text.js';
import type { CalledHost } from './called-host.js';
import { edgeOf } from './edge.js';
import { TrustedProxies } from './trusted-proxies.js';

/** Form of the host and port of a URL. */
const HOST = /^[\w.\-:[\]]+$/;

/**
 * The addresses under which browsers and agents reach the service: the configured one, or else one that depends on the use. What a caller
 * names is good enough for the caller's own answer. It never reaches anybody else, because a caller could name another server.
 */
@Injectable()
export class PublicUrl {
  constructor(
    private readonly settings: Settings,
    private readonly proxies: TrustedProxies,
    private readonly adapters: HttpAdapterHost,
  ) {}

  /**
   * The address for links in the answer to a request, without a trailing slash: the configured one, or else the one that the caller
   * called. A configured proxy names it in `X-Forwarded-Host` and `X-Forwarded-Proto`, everybody else in `Host`. 400 when that is no host.
   */
  ofCaller(request: IncomingMessage): string {
    const { publicUrl } = this.settings.appOptions;
    if (publicUrl !== '') return publicUrl;
    const { header, host } = this.calledHost(request);
    const address = `${this.schemeOf(request)}://${host}`;
    const url = HOST.test(host) && URL.canParse(address) ? new URL(address) : null;
    // A host cannot contain a path, a query or a user name.
    if (url === null || url.href !== `${url.origin}/`) throw invalid(`The ${header} header does not name a host.`);
    return url.origin;
  }

  /** The host that the caller called, and the header that names it. */
  calledHost(request: IncomingMessage): CalledHost {
    const edge = edgeOf(request);
    if (edge !== undefined) return edge.host;
    const forwarded = lastOf(request.headers['x-forwarded-host']);
    return forwarded !== undefined && this.isFromProxy(request)
      ? { header: 'X-Forwarded-Host', host: forwarded }
      : { header: 'Host', host: request.headers.host ?? '' };
  }

  /** The address that no caller can change, without a trailing slash: the configured one, or else the one that the service listens on. */
  get own(): string {
    const { publicUrl } = this.settings.appOptions;
    return publicUrl !== '' ? publicUrl : this.listensAt();
  }

  /** The address for links in mails, without a trailing slash. Null without a configured one, except in development. */
  get forMails(): string | null {
    const { publicUrl } = this.settings.appOptions;
    if (publicUrl !== '') return publicUrl;
    return this.settings.environment === 'development' ? `http://localhost:${this.listensOn().port}` : null;
  }

  /** Checks whether the caller reached the service over TLS. */
  isSecure(request: IncomingMessage): boolean {
    const { publicUrl } = this.settings.appOptions;
    return publicUrl !== '' ? publicUrl.startsWith('https:') : this.schemeOf(request) === 'https';
  }

  /** The scheme with which the caller called. */
  schemeOf(request: IncomingMessage): 'http' | 'https' {
    const edge = edgeOf(request);
    if (edge !== undefined) return edge.isSecure ? 'https' : 'http';
    return lastOf(request.headers['x-forwarded-proto']) === 'https' && this.isFromProxy(request) ? 'https' : 'http';
  }

  private isFromProxy({ socket }: IncomingMessage): boolean {
    return this.proxies.isConfigured(socket.remoteAddress ?? '');
  }

  private listensAt(): string {
    const { address, port } = this.listensOn();
    return `http://${UNSPECIFIED_ADDRESSES.includes(address) ? 'localhost' : hostInUrl(address)}:${port}`;
  }

  private listensOn(): AddressInfo {
    const server: Server = this.adapters.httpAdapter.getHttpServer();
    return server.address() as AddressInfo;
  }
}

/** The last entry of a header that proxies append to. It comes from the nearest proxy; earlier entries may come from the caller. */
function lastOf(header: string | string[] | undefined): string | undefined {
  const entries = Array.isArray(header) ? header.join() : header;
  return entries?.split(',').at(-1)?.trim();
}
