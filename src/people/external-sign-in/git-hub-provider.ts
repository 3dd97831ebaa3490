import * as client from 'openid-client';

import { isLoopback } from '../../platform/config/values/kinds.js';
import {
  ExternalSignInError,
  type ExternalIdentity,
  type ExternalProvider,
  type SignInFlowSecrets,
  type SignInWish,
} from './external-provider.js';
import { fetchBounded, PROVIDER_TIMEOUT_SECONDS, providerError } from './provider-calls.js';

/** The service's registration at GitHub. */
export interface GitHubApp {
  /** `https://github.com`, or the address of an Enterprise Server. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The members that are read of the user API's answer. */
interface GitHubUser {
  readonly id?: unknown;
  readonly login?: unknown;
  readonly email?: unknown;
}

/** An address in the list of a user. */
interface GitHubAddress {
  readonly email?: unknown;
  readonly primary?: unknown;
  readonly verified?: unknown;
}

/** Accepts the profile, and the addresses with their state of verification. */
const SCOPE = 'read:user user:email';

/** GitHub, which speaks OAuth 2 and identifies people through its own API. */
export class GitHubProvider implements ExternalProvider {
  readonly name = 'github';
  readonly displayName = 'GitHub';
  private readonly issuer: string;
  private readonly userApi: URL;
  private readonly configuration: client.Configuration;

  constructor({ url, clientId, clientSecret }: GitHubApp) {
    const base = url.endsWith('/') ? url.slice(0, -1) : url;
    this.issuer = base;
    this.userApi = new URL(base === 'https://github.com' ? 'https://api.github.com/user' : `${base}/api/v3/user`);
    const metadata = {
      issuer: base,
      authorization_endpoint: `${base}/login/oauth/authorize`,
      token_endpoint: `${base}/login/oauth/access_token`,
    };
    this.configuration = new client.Configuration(metadata, clientId, undefined, client.ClientSecretPost(clientSecret));
    this.configuration.timeout = PROVIDER_TIMEOUT_SECONDS;
    this.configuration[client.customFetch] = fetchBounded;
    if (isLoopback(new URL(base))) client.allowInsecureRequests(this.configuration);
  }

  async addressFor({ redirectUri }: SignInWish, { state, codeVerifier }: SignInFlowSecrets): Promise<URL> {
    return client.buildAuthorizationUrl(this.configuration, {
      redirect_uri: redirectUri,
      scope: SCOPE,
      state,
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    });
  }

  async identify(answer: URL, { state, codeVerifier }: SignInFlowSecrets): Promise<ExternalIdentity> {
    try {
      const checks = { expectedState: state, pkceCodeVerifier: codeVerifier };
      const { access_token } = await client.authorizationCodeGrant(this.configuration, answer, checks);
      const response = await this.get(access_token, this.userApi);
      if (!response.ok) throw new ExternalSignInError(response.status >= 500 ? 'ProviderUnavailable' : 'ProviderFailed');
      const identity = this.identityOf((await response.json()) as GitHubUser | null);
      const address = await this.verifiedAddress(access_token);
      return address === null ? identity : { ...identity, email: address, isEmailVerified: true };
    } catch (error) {
      throw providerError(error);
    }
  }

  private get(accessToken: string, url: URL): Promise<Response> {
    const headers = new Headers({ accept: 'application/vnd.github+json' });
    return client.fetchProtectedResource(this.configuration, accessToken, url, 'GET', null, headers);
  }

  /** The primary address, if GitHub has verified it and lets the service know. People can sign in without. */
  private async verifiedAddress(accessToken: string): Promise<string | null> {
    const response = await this.get(accessToken, new URL(`${this.userApi.href}/emails`));
    const addresses: unknown = response.ok ? await response.json() : null;
    if (!Array.isArray(addresses)) return null;
    const primary = (addresses as readonly GitHubAddress[]).find((address) => address.primary === true && address.verified === true);
    return typeof primary?.email === 'string' ? primary.email : null;
  }

  /** Login names can be given up and taken by others; the number cannot. */
  private identityOf(user: GitHubUser | null): ExternalIdentity {
    const { id, login, email } = user ?? {};
    if (typeof id !== 'number' || !Number.isSafeInteger(id) || id <= 0) throw new ExternalSignInError('ProviderFailed');
    const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
    return {
      issuer: this.issuer,
      subject: String(id),
      displayName: textOf(login),
      email: textOf(email),
      isEmailVerified: false,
      signInAge: null,
    };
  }
}
