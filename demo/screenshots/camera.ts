import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { CDPSession, Page } from 'playwright-core';

const THEMES = ['light', 'dark'] as const;
/** Text stays sharp, and the pictures of the guide stay below two and a half megabytes. */
const QUALITY = 80;
const SETTLE_MS = 250;

/** Nothing on the page is on its way to another look. */
const IS_STILL = `document.fonts.status === 'loaded' && document.querySelector('[aria-busy="true"]') === null
  && document.getAnimations().every((animation) => !(animation instanceof CSSTransition))`;

/** What is written in the pictures instead of what differs each time, or is nobody's business. */
export type Replacements = ReadonlyMap<string, string>;

interface PictureOptions {
  /** Only this part of the window, in pixels of the page. */
  readonly clip?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** Takes the pictures of a page, each in the light and in the dark theme. */
export class Camera {
  private readonly replacements = new Map<string, string>();

  private constructor(
    private readonly page: Page,
    private readonly devTools: CDPSession,
    private readonly folder: string,
  ) {}

  /** A camera that stores in a folder, from which all former pictures are removed. */
  static async of(page: Page, folder: string): Promise<Camera> {
    await mkdir(folder, { recursive: true });
    const former = (await readdir(folder)).filter((name) => name.endsWith('.webp'));
    await Promise.all(former.map((name) => rm(join(folder, name))));
    return new Camera(page, await page.context().newCDPSession(page), folder);
  }

  /** From now on, pictures show the other text in place of this one. */
  replace(texts: Replacements): void {
    for (const [text, shown] of texts) this.replacements.set(text, shown);
  }

  /** Takes a picture, `<name>-light.webp` and `<name>-dark.webp`. */
  async take(name: string, { clip }: PictureOptions = {}): Promise<void> {
    for (const theme of THEMES) {
      await this.page.emulateMedia({ colorScheme: theme });
      await this.untilStill();
      await this.page.evaluate(`(${REPLACE})(${JSON.stringify([...this.replacements])})`);
      const { data } = await this.devTools.send('Page.captureScreenshot', {
        format: 'webp',
        quality: QUALITY,
        ...(clip === undefined ? {} : { clip: { ...clip, scale: 1 } }),
      });
      await writeFile(join(this.folder, `${name}-${theme}.webp`), Buffer.from(data, 'base64'));
    }
    console.log(`        ${name}`);
  }

  private async untilStill(): Promise<void> {
    await this.page.waitForFunction(IS_STILL);
    // Pictures of terminals and screens are drawn some frames after the page.
    await delay(SETTLE_MS);
    await this.page.waitForFunction(IS_STILL);
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
