import { afterAll, beforeAll, expect, type TestContext } from 'vitest';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

import { CuttingProxy } from '../../../libs/signalr/test/support/cutting-proxy.js';
import { User } from '../../../src/people/users/user.entity.js';
import { Tenant } from '../../../src/tenants/tenants/tenant.entity.js';
import type { TestApp } from '../../support/application/app.js';
import type { BuiltFrontEnd } from '../../support/brokers/built-front-end.js';
import { openSession } from '../../support/callers/browser.js';
import { eventually } from '../../support/eventually.js';
import { testServer } from '../../support/setup/test-server.js';
import { newContext, startChromium } from './chromium.js';
import { PageChecks } from './page-checks.js';
import { Watch } from './watch.js';

/** Names below localhost are secure contexts, and the browser takes each of them for the service. */
const NAME = 'http://service.localhost';
/** A page that asks the service for nothing. */
const ASKS_NOTHING = '/account/data';
/** User who administers the server and a tenant. */
export const ADMINISTRATOR = { email: 'admin@example.org', password: 'Correct-Horse-7' };

/** Configuration of a server whose address is the port that it listens on, which agents on this machine can reach as well. */
export const AT_ITS_PORT = { Service_AppOptions__PublicUrl: '' };
/** A mail server, so that pages offer what needs one. Nothing listens there. */
const MAIL_SERVER = {
  Service_AppOptions__SmtpHost: '127.0.0.1',
  Service_AppOptions__SmtpPort: '1',
  Service_AppOptions__SmtpEmail: 'service@example.org',
  Service_AppOptions__SmtpDisplayName: 'Devices',
};
/** Configuration of a server that has no user yet. */
export const WITHOUT_USERS = { Service_Bootstrap__AdminEmail: '', Service_Bootstrap__AdminPassword: '' };

/** A window of a browser of its own, as a test asks for it. */
export interface WindowOptions extends Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'hasTouch' | 'isMobile' | 'timezoneId'> {
  /** User who is signed in; nobody if it is left out. */
  readonly user?: User;
  /** Refusals that belong to the test, such as `401 GET /account/session`. All others fail the test. */
  readonly allowedRefusals?: readonly (string | RegExp)[];
  /** Origins that pages may lead to besides the service, such as another provider. */
  readonly otherOrigins?: readonly string[];
}

/** The service with its front end on a port, and a browser. Call {@link frontEnd} to get it. */
export class FrontEndInBrowser {
  private browser: Browser | undefined;
  private line: CuttingProxy | undefined;

  /** `publicUrl` is what is configured as the address; empty if the server is to use its own. */
  constructor(
    readonly server: TestApp,
    private readonly publicUrl: string,
  ) {}

  /** Origin of the pages. */
  get origin(): string {
    return this.publicUrl === '' ? this.server.url : this.publicUrl;
  }

  async start(): Promise<void> {
    this.line = await CuttingProxy.inFrontOf(this.server.url);
    this.browser = await startChromium(this.line.url);
  }

  async stop(): Promise<void> {
    await this.browser?.close();
    await this.line?.stop();
  }

  /** Cuts the WebSockets of all windows, as when a line breaks. */
  cutLines(): void {
    this.line?.cutAll();
  }

  /**
   * Takes the line from a page until the page says so. A line that is only cut comes back unnoticed, and so does one that is cut while the
   * browser is still on its way offline.
   */
  async loseLine(page: Page): Promise<void> {
    await page.context().setOffline(true);
    // Behind a dialog nothing has a role.
    const offline = page.locator('header').first().getByText('Offline');
    await eventually('the page is offline', async () => {
      this.cutLines();
      return (await offline.count()) > 0;
    });
  }

  /** The administrator of the server, who also administers a tenant. */
  administrator(): Promise<User> {
    return this.server.dataSource.manager.findOneByOrFail(User, { email: ADMINISTRATOR.email });
  }

  /** The tenant of a user. */
  tenantOf({ tenantId }: User): Promise<Tenant> {
    return this.server.dataSource.manager.findOneByOrFail(Tenant, { id: tenantId });
  }

  /**
   * A window for a test. When the test ends it is closed, and the test fails if a page did in it what no page may: errors in the console,
   * violations of the policy, requests to other origins, refused requests ({@link Watch}).
   */
  async open({ onTestFinished }: Pick<TestContext, 'onTestFinished'>, options: WindowOptions = {}): Promise<Window> {
    const window = await this.openForAll(options);
    onTestFinished(async () => {
      await window.page.context().close();
      window.expectNoOffences();
    });
    return window;
  }

  /**
   * A window in which tests take turns: its cache keeps the scripts of the pages. It stays open until {@link stop}, and each test has to
   * ask for its offences.
   */
  async openForAll(options: WindowOptions = {}): Promise<Window> {
    const { user, allowedRefusals = [], otherOrigins = [], ...looks } = options;
    if (this.browser === undefined) throw new Error('The browser has not started yet: it does so before the first test.');
    const context = await newContext(this.browser, { baseURL: this.origin, locale: 'en-US', reducedMotion: 'reduce', ...looks });
    const watch = await Watch.over(context, [this.origin, ...otherOrigins], allowedRefusals);
    if (user !== undefined) {
      const [name = '', value = ''] = (await openSession(this.server, user)).split('=');
      await context.addCookies([{ name, value, url: this.origin, httpOnly: true, sameSite: 'Lax' }]);
    }
    return new Window(await context.newPage(), watch);
  }
}

/** Windows in which tests take turns, one for each that runs at the same time. Their caches keep the scripts of the pages. */
export class Windows {
  private readonly idle: Window[] = [];

  constructor(
    private readonly app: FrontEndInBrowser,
    private readonly options: WindowOptions,
  ) {}

  /** A window that no other test has now. The test fails as with one of its own, and leaves nothing in it for the next. */
  async take({ onTestFinished }: Pick<TestContext, 'onTestFinished'>): Promise<Window> {
    const window = this.idle.pop() ?? (await this.app.openForAll(this.options));
    onTestFinished(async () => {
      await window.page.unrouteAll({ behavior: 'ignoreErrors' });
      await window.page.evaluate('localStorage.clear(); sessionStorage.clear()');
      window.expectNoOffences();
      this.idle.push(window);
    });
    return window;
  }
}

/** A window that a test works in. */
export class Window {
  private checks: PageChecks | undefined;

  constructor(
    readonly page: Page,
    private readonly watch: Watch,
  ) {}

  /** Opens an address of the front end, and waits until its page is there. */
  async goTo(path: string): Promise<void> {
    await this.page.goto(path);
    await this.untilThere();
  }

  /** Waits until the page that was just loaded is there: by {@link goTo}, or by a form or another site that led to it. */
  async untilThere(): Promise<void> {
    this.checks ??= await PageChecks.of(this.page);
    await this.checks.enter();
    await this.untilStill();
  }

  /**
   * Opens an address as a link does, without loading the front end again, but with an empty cache of answers. Waits until its page is
   * there.
   */
  async follow(path: string): Promise<void> {
    if (this.checks === undefined) return this.goTo(path);
    await this.page.evaluate(`(async () => {
      // The router keeps itself there for its own tools.
      const router = window.__TSR_ROUTER__;
      const go = async (href) => {
        await router.navigate({ href, ignoreBlocker: true });
        while (router.state.status !== 'idle' || router.state.resolvedLocation.href !== router.state.location.href)
          await new Promise((resolve) => requestAnimationFrame(resolve));
      };
      const path = ${JSON.stringify(path)};
      // A part that stays on the screen, as the page around a tab does, would keep the answers that it shows.
      if (location.pathname.split('/')[1] === path.split(/[/?#]/)[1]) await go(${JSON.stringify(ASKS_NOTHING)});
      router.options.context.queryClient.clear();
      await go(path);
    })()`);
    await this.untilStill();
  }

  /** Waits until the page waits for no answer, and nothing in it changes its look. */
  async untilStill(): Promise<void> {
    const isStill = async (): Promise<boolean> => this.watch.isIdle && (await this.check.isStill()) && this.watch.isIdle;
    await eventually(`the page at ${this.page.url()} is there`, isStill);
  }

  /** Deletes the cookies, as a user does in the browser's settings. The page is left first: one that still asks would be refused. */
  async deleteCookies(): Promise<void> {
    await this.page.goto('about:blank');
    await this.page.context().clearCookies();
  }

  /** Fails if a page did what no page may since the last call. */
  expectNoOffences(): void {
    expect(this.watch.takeOffences()).toEqual([]);
  }

  /** Checks of the page that is open. */
  get check(): PageChecks {
    if (this.checks === undefined) throw new Error('No address was opened yet.');
    return this.checks;
  }
}

/**
 * The service with the built front end, and a browser. Call it in a `describe` block: both start before its first test and stop after the
 * last. `env` adds or replaces configuration.
 */
export function frontEnd({ folder }: BuiltFrontEnd, env: Record<string, string> = {}): FrontEndInBrowser {
  const configured = {
    Service_WebPath: folder,
    Service_AppOptions__PublicUrl: NAME,
    ...MAIL_SERVER,
    Service_Bootstrap__AdminEmail: ADMINISTRATOR.email,
    Service_Bootstrap__AdminPassword: ADMINISTRATOR.password,
    ...env,
  };
  const inBrowser = new FrontEndInBrowser(testServer(configured), configured.Service_AppOptions__PublicUrl);
  beforeAll(() => inBrowser.start());
  afterAll(() => inBrowser.stop());
  return inBrowser;
}
