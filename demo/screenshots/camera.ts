import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { CDPSession, Page, Request } from 'playwright-core';

import { untilTrue } from './until-true.js';

const THEMES = ['light', 'dark'] as const;
/** Text stays sharp, and the pictures of the guide stay small. */
const QUALITY = 80;
const FORMAT = '.webp';
/** Terminals and screens are drawn some frames after the page. */
const FRAMES = 4;

/** True if nothing on the page is on its way to another look, after some frames. */
const IS_STILL = `(async () => {
  for (let frame = 0; frame < ${FRAMES}; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
  return document.fonts.status === 'loaded' && document.querySelector('[aria-busy="true"]') === null
    && document.getAnimations().every((animation) => !(animation instanceof CSSTransition));
})()`;

/** Takes pictures of a page, each in the light and in the dark theme. */
export class Camera {
  private readonly replacements = new Map<string, string>();
  private readonly taken = new Map<string, Buffer>();
  private readonly pending = new Set<Request>();

  private constructor(
    private readonly page: Page,
    private readonly devTools: CDPSession,
  ) {}

  static async of(page: Page): Promise<Camera> {
    const camera = new Camera(page, await page.context().newCDPSession(page));
    page.on('request', (request) => camera.pending.add(request));
    page.on('requestfinished', (request) => camera.pending.delete(request));
    page.on('requestfailed', (request) => camera.pending.delete(request));
    // The requests of a page no longer count once another one is loaded.
    page.on('domcontentloaded', () => camera.pending.clear());
    return camera;
  }

  /** From now on, pictures show the other text instead of this one: it differs each time, or is private. */
  replace(text: string, shown: string): void {
    this.replacements.set(text, shown);
  }

  /** Takes a picture, `<name>-light` and `<name>-dark`. */
  async take(name: string): Promise<void> {
    // Nothing is to look as if the pointer were on it.
    await this.page.mouse.move(0, 0);
    for (const theme of THEMES) {
      await this.page.emulateMedia({ colorScheme: theme });
      await this.untilStill();
      await this.page.evaluate(`(${REPLACE})(${JSON.stringify([...this.replacements])})`);
      const { data } = await this.devTools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
      this.taken.set(`${name}-${theme}${FORMAT}`, Buffer.from(data, 'base64'));
    }
    console.log(`        ${name}`);
  }

  /** Stores the taken pictures in a folder, instead of all former ones except those with the names in `preserved`. */
  async store(folder: string, preserved: readonly string[]): Promise<void> {
    await mkdir(folder, { recursive: true });
    const isPreserved = (file: string): boolean => preserved.some((name) => THEMES.some((theme) => file === `${name}-${theme}${FORMAT}`));
    const former = (await readdir(folder)).filter((file) => file.endsWith(FORMAT) && !this.taken.has(file) && !isPreserved(file));
    await Promise.all(former.map((file) => rm(join(folder, file))));
    await Promise.all([...this.taken].map(([file, data]) => writeFile(join(folder, file), data)));
  }

  /** Waits until the page has all its answers and nothing in it moves. */
  private async untilStill(): Promise<void> {
    await untilTrue(this.page, IS_STILL, () => this.pending.size === 0);
  }
}

/** Writes other texts into the page, in its words and its fields. */
const REPLACE = `(replacements) => {
  const replaced = (text) => replacements.reduce((result, [from, to]) => result.replaceAll(from, to), text);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = replaced(node.data);
    if (text !== node.data) node.data = text;
  }
  for (const field of document.querySelectorAll('input, textarea')) {
    const text = replaced(field.value);
    if (text !== field.value) field.value = text;
  }
}`;
