import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';

import { hasChromium, CHROMIUM_PATH, startChromium } from '../../demo/chromium.js';
import { createAdministrator, growFleet, type Fleet } from '../harness/database.js';
import { furnishFleet } from '../harness/furnish.js';
import { makeDataDirectory, removeDataDirectory, Service } from '../harness/service.js';
import { buildFrontEnd, WEB_FOLDER } from './built-files.js';

const ADMINISTRATOR = { email: 'admin@example.org', password: 'Correct-Horse-7' };
const VIEWPORT = { width: 1280, height: 800 };
/** Time-out, in milliseconds: longer than anything takes here. */
const TIMEOUT_MS = 120_000;

/** The line between browser and service, and the processor of the browser, as the developer tools limit them. */
export interface Limits {
  readonly milliseconds?: number;
  readonly megabitsPerSecond?: number;
  /** Factor by which the processor is slowed down. */
  readonly processor?: number;
}

/** A page in a window of its own: nothing is cached, and the administrator is signed in. */
export interface OpenPage {
  readonly page: Page;
  readonly devTools: CDPSession;
  close(this: void): Promise<void>;
}

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** The service with its front end and devices, and a browser in which its administrator is signed in. */
export class Stage {
  private constructor(
    readonly service: Service,
    /** The administrator's tenant with all devices, and the key of an account that may do everything. */
    readonly fleet: Fleet,
    private readonly browser: Browser,
    private readonly signedIn: StorageState,
  ) {}

  /** Sets up the stage with a number of devices, runs `act`, and always cleans up. */
  static async play<T>(devices: number, act: (stage: Stage) => Promise<T>): Promise<T> {
    if (!hasChromium) throw new Error(`There is no ${CHROMIUM_PATH}: apt-get install chromium, or set CHROMIUM_PATH.`);
    await buildFrontEnd();
    const directory = await makeDataDirectory();
    try {
      const service = await Service.start(directory, {
        Service_WebPath: WEB_FOLDER,
        Service_Bootstrap__AdminEmail: ADMINISTRATOR.email,
        Service_Bootstrap__AdminPassword: ADMINISTRATOR.password,
      });
      try {
        // A bar to drag, as browsers with a window have it.
        const browser = await startChromium(service.url, { ignoreDefaultArgs: ['--hide-scrollbars'] });
        try {
          return await act(await Stage.set(service, browser, devices));
        } finally {
          await browser.close();
        }
      } finally {
        await service.stop();
      }
    } finally {
      await removeDataDirectory(directory);
    }
  }

  private static async set(service: Service, browser: Browser, devices: number): Promise<Stage> {
    const context = await browser.newContext();
    const { email: userName, password } = ADMINISTRATOR;
    const data = { userName, password, isPersistent: true };
    const answer = await context.request.post(`${service.url}/account/sign-in`, { data, headers: { origin: service.url } });
    if (!answer.ok()) throw new Error(`The administrator could not sign in: ${await answer.text()}`);
    const session: { readonly tenant: { readonly id: string } } = await (
      await context.request.get(`${service.url}/account/session`)
    ).json();
    const tenantId = session.tenant.id;
    await growFleet(service.database, { tenantId }, 0, devices);
    await furnishFleet(service.database, { tenantId });
    const signedIn = await context.storageState();
    await context.close();
    return new Stage(service, { tenantId, apiKey: await createAdministrator(service.database) }, browser, signedIn);
  }

  /** Opens a window. `script` runs in its pages before their own. */
  async open({ milliseconds = 0, megabitsPerSecond, processor = 1 }: Limits = {}, script = ''): Promise<OpenPage> {
    const { signedIn: storageState } = this;
    const context = await this.browser.newContext({ baseURL: this.service.url, locale: 'en-US', viewport: VIEWPORT, storageState });
    context.setDefaultTimeout(TIMEOUT_MS);
    if (script !== '') await context.addInitScript(script);
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    // Processor time, which does not grow while others have the processor.
    await devTools.send('Performance.enable', { timeDomain: 'threadTicks' });
    if (megabitsPerSecond !== undefined) {
      const throughput = (megabitsPerSecond * 1e6) / 8;
      await devTools.send('Network.enable');
      await devTools.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: milliseconds,
        downloadThroughput: throughput,
        uploadThroughput: throughput,
      });
    }
    if (processor !== 1) await devTools.send('Emulation.setCPUThrottlingRate', { rate: processor });
    return { page, devTools, close: () => context.close() };
  }
}

/** Opens the list of devices in a window, and waits for its first rows. */
export async function openDevices(stage: Stage, limits: Limits = {}, script = ''): Promise<OpenPage> {
  const opened = await stage.open(limits, script);
  await opened.page.goto('/devices');
  await opened.page.locator(LOADED_ROW).first().waitFor();
  return opened;
}

/** A row of the list with a device in it. The ids are those of `deviceIdOf`. */
export const LOADED_ROW = '[role="row"][data-id^="0199a000"]';
