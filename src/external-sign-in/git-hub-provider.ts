import * as client from 'openid-client';

import { isLoopback } from '../config/kinds.js';
import { ExternalSignInError, type ExternalIdentity, type ExternalProvider, type PassageSecrets } from './external-provider.js';
import { fetchBounded, PROVIDER_TIMEOUT_SECONDS, providerError } from './provider-calls.js';

/** How the service is known at GitHub. */
export interface GitHubApp {
  /** `https://github.com`, or the address of an Enterprise Server. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What the user API tells, as far as it is read. */
interface GitHubUser {
  readonly id?: unknown;
  readonly login?: unknown;
  readonly email?: unknown;
}

/** GitHub, which speaks OAuth 2 and says who somebody is in its own API. */
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

  async addressFor(redirectUri: string, { state, codeVerifier }: PassageSecrets): Promise<URL> {
    return client.buildAuthorizationUrl(this.configuration, {
      redirect_uri: redirectUri,
      scope: 'read:user',
      state,
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    });
  }

  async identify(answer: URL, { state, codeVerifier }: PassageSecrets): Promise<ExternalIdentity> {
    try {
      const checks = { expectedState: state, pkceCodeVerifier: codeVerifier };
      const { access_token } = await client.authorizationCodeGrant(this.configuration, answer, checks);
      const headers = new Headers({ accept: 'application/vnd.github+json' });
      const response = await client.fetchProtectedResource(this.configuration, access_token, this.userApi, 'GET', null, headers);
      if (!response.ok) throw new ExternalSignInError(response.status >= 500 ? 'ProviderUnavailable' : 'ProviderFailed');
      return this.identityOf((await response.json()) as GitHubUser | null);
    } catch (error) {
      throw providerError(error);
    }
  }

  /** Login names can be given up and taken by others; the number cannot. */
  private identityOf(user: GitHubUser | null): ExternalIdentity {
    const { id, login, email } = user ?? {};
    if (typeof id !== 'number' || !Number.isSafeInteger(id) || id <= 0) throw new ExternalSignInError('ProviderFailed');
    const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
    return { issuer: this.issuer, subject: String(id), displayName: textOf(login), email: textOf(email) };
  }
}
