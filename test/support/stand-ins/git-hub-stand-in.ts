import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { CLIENT } from './identity-provider.js';

interface User {
  readonly id: number;
  readonly login: string;
  /** Entries of the list of addresses. Left out, the service may not read it. */
  readonly emails?: readonly { readonly email: string; readonly primary: boolean; readonly verified: boolean }[];
}

/**
 * Stands in for GitHub, which nobody can start: its page for signing in, its token endpoint and its user API, as an Enterprise Server
 * has them. Codes work once, tokens until the addresses were read, and the code only with the verifier that belongs to it.
 */
export class GitHubStandIn {
  /** User who signs in next. */
  user: User = { id: 1, login: 'nobody' };
  private readonly codes = new Map<string, { readonly challenge: string; readonly redirectUri: string; readonly user: User }>();
  private readonly tokens = new Map<string, User>();

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      void this.answer(request).then(({ status, location, body }) => {
        response.writeHead(status, { 'content-type': 'application/json', ...(location === undefined ? {} : { location }) });
        response.end(JSON.stringify(body ?? {}));
      });
    });
  }

  static async start(): Promise<GitHubStandIn> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    return new GitHubStandIn(server);
  }

  get url(): string {
    return `http://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  /** Signs in there, and returns the address that leads back. */
  async visit(address: string): Promise<URL> {
    const answer = await fetch(address, { redirect: 'manual' });
    return new URL(answer.headers.get('location') ?? '');
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage): Promise<{ status: number; location?: string; body?: object }> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    switch (`${request.method} ${pathname}`) {
      case 'GET /login/oauth/authorize':
        return { status: 302, location: this.authorize(searchParams) };
      case 'POST /login/oauth/access_token': {
        const chunks: Buffer[] = [];
        for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
        // GitHub answers 200 to errors, too.
        return { status: 200, body: this.redeem(new URLSearchParams(Buffer.concat(chunks).toString())) };
      }
      case 'GET /api/v3/user': {
        const user = this.tokens.get(tokenOf(request));
        if (user === undefined) return { status: 401 };
        return { status: 200, body: { id: user.id, login: user.login, name: null, email: null } };
      }
      case 'GET /api/v3/user/emails': {
        const user = this.tokens.get(tokenOf(request));
        this.tokens.delete(tokenOf(request));
        if (user === undefined) return { status: 401 };
        return user.emails === undefined ? { status: 404 } : { status: 200, body: user.emails };
      }
      default:
        return { status: 404 };
    }
  }

  private authorize(asked: URLSearchParams): string {
    const code = randomUUID();
    const redirectUri = asked.get('redirect_uri') ?? '';
    this.codes.set(code, { challenge: asked.get('code_challenge') ?? '', redirectUri, user: this.user });
    return `${redirectUri}?code=${code}&state=${asked.get('state')}`;
  }

  private redeem(form: URLSearchParams): object {
    const code = this.codes.get(form.get('code') ?? '');
    this.codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isClient = form.get('client_id') === CLIENT.id && form.get('client_secret') === CLIENT.secret;
    if (code === undefined || !isClient || code.challenge !== challenge || code.redirectUri !== form.get('redirect_uri')) {
      return { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' };
    }
    const token = randomUUID();
    this.tokens.set(token, code.user);
    return { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' };
  }
}

function tokenOf({ headers }: IncomingMessage): string {
  return headers.authorization?.replace(/^bearer /i, '') ?? '';
}
