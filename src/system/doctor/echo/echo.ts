import type { IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';

import { notFound } from '../../../platform/common/errors/errors.js';
import { TrustedProxies } from '../../../platform/http/addresses/trusted-proxies.js';
import type { EchoAnswer } from './echo-answer.js';
import { EchoGuard } from './echo-guard.js';

/** Longest body that is read, in bytes. */
const MAXIMUM_BODY = 4 * 1024 * 1024;
const BODY_TIMEOUT_MS = 20_000;

/** Tells the doctor what reached the service. */
@Injectable()
export class Echo {
  constructor(
    private readonly guard: EchoGuard,
    private readonly proxies: TrustedProxies,
  ) {}

  /** The headers of a request; 404 for every request that is not of the doctor. */
  answer(request: IncomingMessage): EchoAnswer {
    const proof = this.guard.admit(request);
    if (proof === null) throw notFound('The route');
    const { headers, socket } = request;
    return {
      proof,
      isProxyTrusted: this.proxies.trusts(socket.remoteAddress ?? '', 0),
      forwardedFor: textOf(headers['x-forwarded-for']),
      forwardedProto: textOf(headers['x-forwarded-proto']),
      forwardedHost: textOf(headers['x-forwarded-host']),
      bytes: 0,
    };
  }

  /** Reads the body of a request and returns its length in bytes. */
  async lengthOf(request: IncomingMessage): Promise<number> {
    const deadline = setTimeout(() => request.destroy(), BODY_TIMEOUT_MS);
    let length = 0;
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        length += chunk.length;
        if (length > MAXIMUM_BODY) request.destroy();
      }
    } finally {
      clearTimeout(deadline);
    }
    return length;
  }
}

const textOf = (header: string | string[] | undefined): string | null => (Array.isArray(header) ? header.join() : (header ?? null));
