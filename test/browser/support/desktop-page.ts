import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, type TestContext } from 'vitest';

import type { User } from '../../../src/people/users/user.entity.js';
import { createKeyedDevice, FakeAgent, type KeyedDevice } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { BLUE, DesktopAgent } from '../../support/stand-ins/desktop-agent.js';
import type { FrontEndInBrowser, Window, WindowOptions } from './front-end.js';
import { Picture } from './picture.js';

/** Size of a window with a desktop, unless the test says another one. */
export const LARGE = { width: 1600, height: 1000 };

/** A window with the desktop of a device in it. */
export interface DesktopPage {
  readonly window: Window;
  readonly page: Page;
  readonly canvas: Locator;
}

/** A device with a desktop, which an agent that was written after the description of the protocol gives. */
export class DeviceWithDesktop {
  administrator!: User;
  device!: KeyedDevice;
  link!: FakeAgent;
  agent!: DesktopAgent;

  constructor(private readonly app: FrontEndInBrowser) {}

  async start(): Promise<void> {
    this.administrator = await this.app.administrator();
    this.device = await createKeyedDevice(this.app.server, await this.app.tenantOf(this.administrator));
    this.link = await FakeAgent.online(this.app.server, this.device);
  }

  /** A window at the tab of the device. */
  async choose(test: TestContext, options: WindowOptions = {}): Promise<Window> {
    const window = await this.app.open(test, { user: this.administrator, viewport: LARGE, ...options });
    // The page asks before it is left while a desktop is shown.
    window.page.on('dialog', (dialog) => void dialog.accept());
    await window.goTo(`/devices/${this.device.id}/screen`);
    return window;
  }

  /** A window with the desktop of the device in it. */
  async open(test: TestContext, options: WindowOptions = {}): Promise<DesktopPage> {
    const window = await this.choose(test, options);
    const { page } = window;
    const connect = page.getByRole('button', { name: 'Connect', exact: true });
    await (options.hasTouch === true ? connect.tap() : connect.click());
    const canvas = page.getByRole('img', { name: /^Desktop of / });
    await canvas.and(page.locator('canvas:not([data-last-picture])')).waitFor();
    await eventually('the desktop is drawn', async () => (await Picture.of(canvas)).shows(BLUE, 0.1, 0.1));
    return { window, page, canvas };
  }
}

/** A device of its own for the tests of a suite. Each test begins with another agent on it. Call it in a `describe` block. */
export function deviceWithDesktop(app: FrontEndInBrowser): DeviceWithDesktop {
  const on = new DeviceWithDesktop(app);
  beforeAll(() => on.start());
  beforeEach(() => {
    on.agent = new DesktopAgent(on.link);
  });
  afterAll(() => on.link?.stop());
  return on;
}

/** A button over the desktop. */
export const toolOf = (page: Page, name: string): Locator =>
  page.getByRole('toolbar', { name: 'Desktop tools' }).getByRole('button', { name, exact: true });

export async function boxOf(element: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await element.boundingBox();
  if (box === null) throw new Error('It is not shown.');
  return box;
}

/** A place on an element as a point of the page. `x` and `y` are shares of its size. */
export async function placeOn(element: Locator, x: number, y: number): Promise<[x: number, y: number]> {
  const box = await boxOf(element);
  return [box.x + x * box.width, box.y + y * box.height];
}
