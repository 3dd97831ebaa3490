import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';

import type {
  PasskeyAnswerDto,
  PasskeyCreationOptionsDto,
  PasskeyRequestOptionsDto,
  CreatedPasskeyDto,
} from '../../../src/people/passkeys/webauthn.dto.js';
import { newContext } from './chromium.js';

/** Answer to a call of the page. */
export interface PageAnswer<T = unknown> {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: T;
}

/** A credential in the virtual authenticator, with its private key. */
interface StoredCredential {
  readonly credentialId: string;
  readonly isResidentCredential: boolean;
  readonly rpId?: string;
  readonly privateKey: string;
  readonly userHandle?: string;
  readonly signCount: number;
}

/** An empty page of the front end in a browser of its own, with an authenticator that answers by itself. */
export class PasskeyPage {
  private constructor(
    readonly context: BrowserContext,
    private readonly page: Page,
    private readonly devTools: CDPSession,
    private authenticatorId: string,
  ) {}

  /** Opens the page; `cookie` is that of a session. */
  static async open(browser: Browser, url: string, cookie?: string): Promise<PasskeyPage> {
    const context = await newContext(browser);
    if (cookie !== undefined) {
      const [name, value] = cookie.split('=');
      await context.addCookies([{ name, value, url }]);
    }
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    await devTools.send('WebAuthn.enable');
    const opened = new PasskeyPage(context, page, devTools, await addAuthenticator(devTools, true));
    await opened.goTo(url);
    return opened;
  }

  async goTo(url: string): Promise<void> {
    await this.page.goto(url);
  }

  /** Makes a passkey. */
  create(options: PasskeyCreationOptionsDto): Promise<CreatedPasskeyDto> {
    return this.run(`
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(options)});
      return (await navigator.credentials.create({ publicKey })).toJSON();`);
  }

  /** Answers with a passkey. */
  answer(options: PasskeyRequestOptionsDto): Promise<PasskeyAnswerDto> {
    return this.run(`
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(${JSON.stringify(options)});
      return (await navigator.credentials.get({ publicKey })).toJSON();`);
  }

  post<T = unknown>(path: string, body: unknown = {}): Promise<PageAnswer<T>> {
    return this.call('POST', path, body);
  }

  call<T = unknown>(method: string, path: string, body?: unknown): Promise<PageAnswer<T>> {
    const sent = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return this.run(`
      const answer = await fetch(${JSON.stringify(path)}, ${JSON.stringify({ method, ...sent })});
      const text = await answer.text();
      return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: text === '' ? null : JSON.parse(text) };`);
  }

  /** Signs the browser out without telling the service. */
  forgetCookies(): Promise<void> {
    return this.context.clearCookies();
  }

  /** From now on the authenticator verifies its user, or does not. */
  async verifyUser(isUserVerified: boolean): Promise<void> {
    await this.devTools.send('WebAuthn.setUserVerified', { authenticatorId: this.authenticatorId, isUserVerified });
  }

  /** Replaces the authenticator by one that cannot verify its user. */
  async takeSimpleAuthenticator(): Promise<void> {
    await this.devTools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: this.authenticatorId });
    this.authenticatorId = await addAuthenticator(this.devTools, false);
  }

  /** Returns everything in the authenticator, as a thief who copies it would see it. */
  async copyAuthenticator(): Promise<StoredCredential[]> {
    const { authenticatorId } = this;
    const { credentials } = await this.devTools.send('WebAuthn.getCredentials', { authenticatorId });
    return credentials;
  }

  /** Replaces the contents of the authenticator. */
  async restoreAuthenticator(credentials: readonly StoredCredential[]): Promise<void> {
    const { authenticatorId } = this;
    await this.devTools.send('WebAuthn.clearCredentials', { authenticatorId });
    for (const credential of credentials) {
      await this.devTools.send('WebAuthn.addCredential', { authenticatorId, credential });
    }
  }

  /** Runs the body of an asynchronous function in the page. */
  private run<T>(body: string): Promise<T> {
    return this.page.evaluate<T>(`(async () => {${body}})()`);
  }
}

/** Adds an authenticator that stores passkeys and answers by itself. */
export async function addAuthenticator(devTools: CDPSession, verifiesUser: boolean): Promise<string> {
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: verifiesUser,
      isUserVerified: verifiesUser,
      automaticPresenceSimulation: true,
    },
  });
  return authenticatorId;
}
