import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Provider } from 'oidc-provider';

/** Id and secret under which the provider knows the service. */
export const CLIENT = { id: 'device-management', secret: 'a-secret-of-the-client-at-the-provider' };

interface ProviderContext {
  readonly oidc: {
    readonly provider: Provider;
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
  };
}

/** The page on which people name their account. */
const SIGN_IN_PAGE = `<!doctype html><html lang="en"><title>Sign in</title>
<form><label>Account <input name="account"></label> <button>Sign in</button></form></html>`;

/** A real OpenID Connect provider (oidc-provider) on a free port, at which everybody signs in by naming an account. */
export class IdentityProvider {
  /** Claims about the e-mail address by account. Others have `<account>@example.org`, which it has not verified. */
  readonly addresses = new Map<string, { readonly email?: string; readonly email_verified?: boolean }>();
  /** Claimed time of the sign-in there, in seconds since 1970; undefined for the true one. */
  signsInAt: number | undefined;
  private provider: Provider | undefined;

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.answer(request, response));
  }

  static async start(): Promise<IdentityProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    return new IdentityProvider(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get issuer(): string {
    return `http://localhost:${this.port}`;
  }

  /** Makes the service known to the provider, under the addresses that browsers come back to. */
  register(redirectUris: readonly string[]): void {
    this.provider = new Provider(this.issuer, {
      clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: redirectUris }],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      cookies: { keys: ['a key for the cookies of the provider'] },
      features: { devInteractions: { enabled: false } },
      pkce: { required: () => true },
      ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
      interactions: { url: (_context: unknown, { uid }: { readonly uid: string }) => `/sign-in/${uid}` },
      findAccount: (_context: unknown, id: string) => ({
        accountId: id,
        claims: () => ({ sub: id, name: `Person ${id}`, ...(this.addresses.get(id) ?? { email: `${id}@example.org` }) }),
      }),
      // Everybody consents.
      loadExistingGrant: async ({ oidc }: ProviderContext) => {
        const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
        grant.addOIDCScope('openid profile email');
        await grant.save();
        return grant;
      },
    });
  }

  /** Goes through the provider as a new browser does, signing in as `account` (null declines). Returns the address that leads back. */
  async visit(address: string, account: string | null): Promise<URL> {
    const cookies = new Map<string, string>();
    let url = new URL(address);
    while (url.origin === this.issuer) {
      if (url.pathname.startsWith('/sign-in/')) url.searchParams.set('account', account ?? '');
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
      const next = answer.headers.get('location');
      if (next === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
      for (const text of answer.headers.getSetCookie()) {
        const [name = '', value = ''] = (text.split(';')[0] ?? '').split('=');
        cookies.set(name, value);
      }
      url = new URL(next, url);
    }
    return url;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { provider } = this;
    if (provider === undefined) throw new Error('The service is not registered at the provider.');
    const url = new URL(request.url ?? '/', this.issuer);
    if (!url.pathname.startsWith('/sign-in/')) return provider.callback()(request, response);
    const accountId = url.searchParams.get('account');
    if (accountId === null) {
      response.setHeader('content-type', 'text/html').end(SIGN_IN_PAGE);
      return;
    }
    const login = { accountId, ...(this.signsInAt === undefined ? {} : { ts: this.signsInAt }) };
    const declined = { error: 'access_denied', error_description: 'No <b>thanks</b>' };
    await provider.interactionFinished(request, response, accountId === '' ? declined : { login });
  }
}
