import * as client from 'openid-client';

import type { Clock } from '../../platform/common/runtime/clock.js';
import { isLoopback } from '../../platform/config/values/kinds.js';
import type { OpenIdConnectSettings } from '../../platform/config/open-id-connect-settings.js';
import {
  ExternalSignInError,
  type ExternalIdentity,
  type ExternalProvider,
  type SignInFlowSecrets,
  type SignInWish,
} from './external-provider.js';
import { fetchBounded, PROVIDER_TIMEOUT_SECONDS, providerError } from './provider-calls.js';

/** Time for which a provider's metadata is kept. */
const METADATA_LIFETIME_MS = 60 * 60_000;

/** Settings of a provider, and the trust in its statements about e-mail addresses; trusted if left out. */
export type IssuerSettings = Omit<OpenIdConnectSettings, 'number'> & { readonly vouchesForAddresses?: boolean };

/**
 * A provider that speaks OpenID Connect. Its metadata (addresses and keys) is read when a person signs in, so that the service starts
 * without it.
 */
export class OpenIdConnectProvider implements ExternalProvider {
  private metadata: { readonly configuration: Promise<client.Configuration>; readonly until: number } | null = null;

  constructor(
    private readonly settings: IssuerSettings,
    private readonly clock: Clock,
    private readonly call: client.CustomFetch = fetchBounded,
  ) {}

  get name(): string {
    return this.settings.name;
  }

  get displayName(): string {
    return this.settings.displayName;
  }

  async addressFor({ redirectUri, isAnew }: SignInWish, { state, nonce, codeVerifier }: SignInFlowSecrets): Promise<URL> {
    const configuration = await this.configuration();
    return client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: scopeOf(this.settings),
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      // With a greatest age, providers say in the token when the person signed in.
      ...(isAnew ? { prompt: 'login', max_age: '0' } : {}),
    });
  }

  async identify(answer: URL, { state, nonce, codeVerifier }: SignInFlowSecrets): Promise<ExternalIdentity> {
    const configuration = await this.configuration();
    try {
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier };
      const tokens = await client.authorizationCodeGrant(configuration, answer, checks);
      const claims = tokens.claims();
      // An empty subject would make one person of all who have it.
      if (claims === undefined || claims.sub === '') throw new ExternalSignInError('ProviderFailed');
      const hasMore = claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined;
      const person = hasMore ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims;
      return {
        issuer: claims.iss,
        subject: claims.sub,
        displayName: textOf(person.name),
        email: textOf(person.email),
        isEmailVerified: this.settings.vouchesForAddresses !== false && person.email_verified === true,
        signInAge: claims.auth_time === undefined ? Number.POSITIVE_INFINITY : claims.iat - claims.auth_time,
      };
    } catch (error) {
      throw providerError(error);
    }
  }

  /** The provider's metadata. Concurrent callers share one call; after a failure the next caller asks again. */
  private async configuration(): Promise<client.Configuration> {
    const now = this.clock.milliseconds();
    if (this.metadata === null || this.metadata.until <= now) {
      this.metadata = { configuration: this.discover(), until: now + METADATA_LIFETIME_MS };
    }
    const { metadata } = this;
    try {
      return await metadata.configuration;
    } catch (error) {
      if (this.metadata === metadata) this.metadata = null;
      throw new ExternalSignInError('ProviderUnavailable', { cause: error });
    }
  }

  /** Reads the provider's metadata. @throws Error that says why it cannot be used */
  discover(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret, clientAuthentication } = this.settings;
    const address = new URL(issuer);
    const authentication =
      clientAuthentication === 'Basic' ? client.ClientSecretBasic(clientSecret) : client.ClientSecretPost(clientSecret);
    // The signature of the token is checked even though it comes from the provider itself.
    const execute = [client.enableNonRepudiationChecks, ...(isLoopback(address) ? [client.allowInsecureRequests] : [])];
    return client.discovery(address, clientId, undefined, authentication, {
      execute,
      timeout: PROVIDER_TIMEOUT_SECONDS,
      [client.customFetch]: this.call,
    });
  }
}

function scopeOf({ scopes }: Pick<OpenIdConnectSettings, 'scopes'>): string {
  const asked = scopes.split(/\s+/).filter((scope) => scope !== '');
  return asked.includes('openid') ? asked.join(' ') : ['openid', ...asked].join(' ');
}

function textOf(claim: unknown): string | null {
  return typeof claim === 'string' && claim !== '' ? claim : null;
}
