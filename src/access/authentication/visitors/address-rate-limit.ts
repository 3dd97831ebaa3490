import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerModuleOptions,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import type { Request } from 'express';

import { DomainError, ErrorCode } from '../../../platform/common/errors/errors.js';
import { addressBlock } from '../../../platform/http/addresses/address-block.js';
import { Visitors } from './visitors.js';

/** Number of requests that an address may send to a route in a window, and length of the window in milliseconds. */
export const REQUESTS_PER_WINDOW = 20;
export const WINDOW_MS = 60_000;

/** Description of the limit for callers. */
export const LIMITED = `An address may call this ${REQUESTS_PER_WINDOW} times a minute. \`Retry-After\` contains the seconds until the minute is over.`;

/** Limits how often an address may call a route. Addresses are those behind trusted proxies. */
@Injectable()
export class AddressRateLimit extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() storage: ThrottlerStorage,
    reflector: Reflector,
    private readonly visitors: Visitors,
  ) {
    super(options, storage, reflector);
  }

  protected override getTracker(request: Request): Promise<string> {
    return Promise.resolve(addressBlock(this.visitors.of(request).remoteAddress));
  }

  protected override throwThrottlingException(_: ExecutionContext, { timeToBlockExpire }: ThrottlerLimitDetail): Promise<void> {
    const seconds = String(timeToBlockExpire);
    const message = `Too many requests came from this address. Try again in ${seconds} seconds.`;
    return Promise.reject(new DomainError(ErrorCode.TooManyRequests, message, undefined, { 'Retry-After': seconds }));
  }
}
