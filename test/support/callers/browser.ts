import { hash } from '@node-rs/argon2';

import { type HashCost, PasswordCost } from '../../../src/access/authentication/passwords/password-cost.js';
import { SESSION_COOKIE } from '../../../src/access/authentication/sessions/session-cookie.js';
import { SignInMethod } from '../../../src/access/authentication/sessions/session.entity.js';
import { Sessions } from '../../../src/access/authentication/sessions/sessions.js';
import type { User } from '../../../src/people/users/user.entity.js';
import { UnitOfWork } from '../../../src/platform/database/queries/unit-of-work.js';
import { ApiClient, type ApiAnswer, type ApiCall } from '../application/api-client.js';
import type { TestApp } from '../application/app.js';
import { createUser } from '../fixtures/factories.js';

/** The password of users that can sign in. */
export const PASSWORD = 'Correct-Horse-7';

/** User agent of every test browser. */
const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

/** The stored form of {@link PASSWORD} at a cost. */
const storedPasswords = new Map<string, Promise<string>>();

/** A page of the service in a browser: keeps cookies, and names its origin. */
export class Browser {
  private readonly client: ApiClient;

  constructor(
    private readonly server: Pick<TestApp, 'url'>,
    private readonly headers: Readonly<Record<string, string>> = {},
    /** Cookies by name, as the browser keeps them. */
    readonly cookies = new Map<string, string>(),
  ) {
    this.client = new ApiClient(server.url, { 'user-agent': USER_AGENT });
  }

  /** The same browser, with the same cookies, when another node answers. */
  at(server: Pick<TestApp, 'url'>): Browser {
    return new Browser(server, this.headers, this.cookies);
  }

  /** The header in which the browser sends its cookies. */
  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  get(path: string, call: ApiCall = {}): Promise<ApiAnswer> {
    return this.call('GET', path, call);
  }

  post(path: string, body?: unknown, call: ApiCall = {}): Promise<ApiAnswer> {
    return this.call('POST', path, { ...call, body: body ?? {} });
  }

  put(path: string, body?: unknown, call: ApiCall = {}): Promise<ApiAnswer> {
    return this.call('PUT', path, { ...call, body: body ?? {} });
  }

  delete(path: string, call: ApiCall = {}): Promise<ApiAnswer> {
    return this.call('DELETE', path, call);
  }

  /** Signs a user in with the password, by default {@link PASSWORD}. */
  signIn(user: Pick<User, 'userName'>, password = PASSWORD, more: object = {}): Promise<ApiAnswer> {
    return this.post('/account/sign-in', { userName: user.userName, password, ...more });
  }

  async call(method: string, path: string, call: ApiCall = {}): Promise<ApiAnswer> {
    const origin: Record<string, string> = method === 'GET' ? {} : { origin: this.server.url };
    const cookie = this.cookieHeader;
    const headers = { ...origin, ...(cookie === '' ? {} : { cookie }), ...this.headers, ...call.headers };
    const answer = await this.client.call(method, path, { ...call, headers });
    for (const text of answer.headers.getSetCookie()) this.keep(text);
    return answer;
  }

  private keep(text: string): void {
    const [pair, ...attributes] = text.split(';').map((part) => part.trim());
    const name = pair.slice(0, pair.indexOf('='));
    if (attributes.includes('Max-Age=0')) this.cookies.delete(name);
    else this.cookies.set(name, pair.slice(name.length + 1));
  }
}

/** A user with a password and a confirmed address. */
export async function createPerson(server: TestApp, values: Partial<User> & Pick<User, 'tenantId'>): Promise<User> {
  const passwordHash = await storedPasswordAt(server.app.get(PasswordCost).ofHash);
  return createUser(server, { passwordHash, emailConfirmed: true, ...values });
}

function storedPasswordAt(cost: HashCost): Promise<string> {
  const key = JSON.stringify(cost);
  const stored = storedPasswords.get(key) ?? hash(PASSWORD, cost);
  storedPasswords.set(key, stored);
  return stored;
}

/** A browser in which the user is signed in, without the cost of a password. */
export async function browserOf(server: TestApp, user: User): Promise<Browser> {
  const browser = new Browser(server);
  const [name, value] = (await openSession(server, user)).split('=');
  browser.cookies.set(name, value);
  return browser;
}

/** Opens a session for a user, and returns the `Cookie` header that carries it. */
export async function openSession(server: TestApp, user: User): Promise<string> {
  const context = { manager: server.dataSource.manager };
  const visitor = { remoteAddress: '127.0.0.1', userAgent: USER_AGENT, browser: null };
  const session = { user, method: SignInMethod.Password, isPersistent: false, visitor };
  const { cookie } = await server.app.get(UnitOfWork).run(context, (tx) => server.app.get(Sessions).open(tx, session));
  return `${SESSION_COOKIE}=${cookie}`;
}
