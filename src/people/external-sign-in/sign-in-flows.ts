import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';

import { Visitors } from '../../access/authentication/visitors/visitors.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { hashSecret, newSecret } from '../../platform/common/identifiers/secret.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { addressBlock } from '../../platform/http/addresses/address-block.js';
import { Cookies } from '../../platform/http/cookies.js';
import type { SignInFlowPurpose } from './external-login.entity.js';
import type { SignInFlowSecrets } from './external-provider.js';
import { SignInFlowsRepository } from './sign-in-flows.repository.js';

/** A sign-in flow to begin: its provider and purpose, and the path to which the browser returns. */
export interface NewSignInFlow {
  readonly provider: string;
  readonly returnPath: string;
  readonly isPersistent: boolean;
  readonly purpose: SignInFlowPurpose;
  /** The session in which the flow begins; null for a sign-in. */
  readonly sessionId: string | null;
}

/** A sign-in flow whose browser has come back. */
export type SignInFlow = Omit<NewSignInFlow, 'provider'> & SignInFlowSecrets;

const COOKIE = 'device-management-external-sign-in';
/** Time within which a sign-in flow can be completed. */
export const SIGN_IN_FLOW_LIFETIME_MS = 10 * 60_000;
/** Most pending flows from one address and in all. A new one takes the place of the oldest. */
const MAXIMUM_OF_ADDRESS = 100;
const MAXIMUM_IN_ALL = 10_000;
/** Longest state that is looked up; every state has 43 characters. */
const MAXIMUM_STATE_LENGTH = 100;

/** A random parameter of the protocol: 256 bits, 43 characters. */
const newParameter = (): string => randomBytes(32).toString('base64url');

/**
 * Sign-in flows of browsers at providers. Each can be completed once, within ten minutes, in the browser in which it began: it has a
 * cookie, so that attackers cannot sign a victim in to their own account by sending the victim their own answer.
 */
@Injectable()
export class SignInFlows {
  constructor(
    private readonly repository: SignInFlowsRepository,
    private readonly cookies: Cookies,
    private readonly visitors: Visitors,
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
  ) {}

  /** Begins a flow in the browser that asks, in place of the browser's pending one. */
  async begin(request: Request, response: Response, flow: NewSignInFlow): Promise<SignInFlowSecrets> {
    const now = this.clock.now();
    const secrets = { state: newParameter(), nonce: newParameter(), codeVerifier: newParameter() };
    const browser = newSecret();
    const { manager } = this.dataSource;
    const block = addressBlock(this.visitors.of(request).remoteAddress);
    await this.repository.makeRoom(manager, now, block, MAXIMUM_OF_ADDRESS - 1, MAXIMUM_IN_ALL - 1);
    await this.repository.insert(manager, {
      ...flow,
      id: newGuid(),
      createdAt: now,
      expiresAt: new Date(now.getTime() + SIGN_IN_FLOW_LIFETIME_MS),
      hashedState: hashSecret(secrets.state),
      hashedBrowser: hashSecret(browser),
      nonce: secrets.nonce,
      codeVerifier: secrets.codeVerifier,
      addressBlock: block,
    });
    this.setCookie(request, response, browser, SIGN_IN_FLOW_LIFETIME_MS / 1000);
    return secrets;
  }

  /** Completes the flow to which a provider's answer belongs; null when this browser has none with that provider. */
  async complete(request: Request, response: Response, provider: string, answer: URL): Promise<SignInFlow | null> {
    const [state, ...others] = answer.searchParams.getAll('state');
    const browser = this.cookies.read(request, COOKIE);
    if (state === undefined || state.length > MAXIMUM_STATE_LENGTH || others.length > 0 || browser === null) return null;
    const key = { provider, hashedState: hashSecret(state), hashedBrowser: hashSecret(browser) };
    const flow = await this.repository.take(this.dataSource.manager, key, this.clock.now());
    if (flow === null) return null;
    this.setCookie(request, response, '', 0);
    return { ...flow, state };
  }

  private setCookie(request: Request, response: Response, value: string, maximumAge: number): void {
    // The provider's page leads back here, so that the browser must send the cookie on links from elsewhere.
    response.append('Set-Cookie', this.cookies.text(request, COOKIE, value, { maximumAge, sameSite: 'Lax' }));
  }
}
