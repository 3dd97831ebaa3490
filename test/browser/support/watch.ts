import type { BrowserContext, Page, Request, Response } from 'playwright-core';

/** Names in the console the violations of the page's policy. Chromium does so by itself for most, but not for all kinds. */
const REPORT_VIOLATIONS = `
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) => {
    console.error('Against the policy: ' + effectiveDirective + ' ' + blockedURI + ' in ' + sourceFile + ':' + lineNumber);
  });`;

/** Chromium's console lines about answers of 400 and more, and about lost ones. They are noted with their address instead. */
const ABOUT_AN_ANSWER = /^Failed to load resource: /;
/** Its lines about WebSockets that do not come about or break off. */
const ABOUT_A_SOCKET = /^WebSocket connection to '([^']+)' failed: /;
/** Failure of a request that the page itself has given up. */
const GIVEN_UP = 'net::ERR_ABORTED';

/**
 * Notes what no page may do, whatever it shows: errors in the console, exceptions, violations of its policy, requests to other origins, and
 * requests that are refused.
 */
export class Watch {
  /** Sentences about the noted offences, in order. */
  readonly offences: string[] = [];
  private readonly underWay = new Set<Request>();

  private constructor(
    private readonly origins: readonly string[],
    private readonly allowedRefusals: readonly (string | RegExp)[],
  ) {}

  /**
   * Watches all pages of a context. `origins` are their permitted ones; `allowedRefusals` belong to the test: `401 GET /account/session`,
   * or `lost GET /account/session` for a request that gets no answer, `lost WebSocket /hubs/viewer` for a line that breaks.
   */
  static async over(context: BrowserContext, origins: readonly string[], allowedRefusals: readonly (string | RegExp)[]): Promise<Watch> {
    const watch = new Watch(origins, allowedRefusals);
    await context.addInitScript(REPORT_VIOLATIONS);
    context.on('console', (message) => {
      if (message.type() === 'error') watch.noteError(message.text());
    });
    context.on('weberror', (error) => watch.note(`exception: ${error.error().stack ?? error.error().message}`));
    context.on('page', (page) => watch.noteSockets(page));
    context.on('request', (request) => watch.begin(request));
    context.on('response', (answer) => watch.noteRefusal(answer));
    context.on('requestfinished', (request) => watch.underWay.delete(request));
    context.on('requestfailed', (request) => watch.fail(request));
    return watch;
  }

  /** Returns the offences noted since the last call. */
  takeOffences(): string[] {
    return this.offences.splice(0);
  }

  /** True if the page waits for no answer. One whose body no script reads counts as waited for. */
  get isIdle(): boolean {
    return this.underWay.size === 0;
  }

  private begin(request: Request): void {
    // A stream of events never ends by itself.
    if (request.resourceType() !== 'eventsource') this.underWay.add(request);
    this.expectOwnOrigin(request.url());
  }

  private noteRefusal(answer: Response): void {
    if (answer.status() < 400) return;
    const refusal = `${answer.status()} ${answer.request().method()} ${new URL(answer.url()).pathname}`;
    if (!this.allows(refusal)) this.note(`refused: ${refusal}`);
  }

  private fail(request: Request): void {
    this.underWay.delete(request);
    const reason = request.failure()?.errorText;
    const lost = `lost ${request.method()} ${new URL(request.url()).pathname}`;
    if (reason !== GIVEN_UP && !this.allows(lost)) this.note(`${lost}: ${reason}`);
  }

  private noteError(text: string): void {
    const socket = ABOUT_A_SOCKET.exec(text)?.[1];
    const isKnown = socket === undefined ? ABOUT_AN_ANSWER.test(text) : this.allows(`lost WebSocket ${new URL(socket).pathname}`);
    if (!isKnown) this.note(`console: ${text}`);
  }

  private allows(refusal: string): boolean {
    return this.allowedRefusals.some((allowed) => (typeof allowed === 'string' ? allowed === refusal : allowed.test(refusal)));
  }

  private noteSockets(page: Page): void {
    page.on('websocket', (socket) => this.expectOwnOrigin(socket.url().replace(/^ws/, 'http')));
  }

  private expectOwnOrigin(url: string): void {
    if (/^(?:data|blob):/.test(url)) return;
    if (!this.origins.includes(new URL(url).origin)) this.note(`off the origin: ${url}`);
  }

  private note(offence: string): void {
    this.offences.push(offence);
  }
}
