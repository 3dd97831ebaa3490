import type { Page } from 'playwright-core';
import { describe, expect, it, type TestContext } from 'vitest';

import { hasChromium, WITHOUT_CHROMIUM } from '../browser/support/chromium.js';
import { componentPages, soon } from './component-pages.js';

const MIB = 1024 * 1024;
/** More than the buffers of a line take from a sender to whom nobody listens. */
const LARGE = 64 * MIB;
const UPLOAD = '/api/v1/device-file-system/upload/device';

const suite = hasChromium ? describe : describe.skip;

suite(`the queue of uploads${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const pages = componentPages([`409 POST ${UPLOAD}`, `lost POST ${UPLOAD}`]);

  const start = async (context: TestContext, files: Readonly<Record<string, number>>): Promise<Page> => {
    const page = await pages.open(context, {
      name: 'uploads',
      deviceId: 'device',
      files: Object.entries(files).map(([name, size]) => ({ name, size })),
    });
    await page.getByRole('button', { name: 'Upload' }).click();
    return page;
  };
  const upload = (page: Page, name: string) => page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });
  const statuses = (page: Page): Promise<string[]> =>
    page.evaluate(`[...document.querySelectorAll('[data-status]')].map(({ dataset }) => dataset.status)`);
  const press = (page: Page, button: string): Promise<void> => page.getByRole('button', { name: button, exact: true }).click();

  it('sends two at a time, the others wait for their turn', async (context) => {
    const page = await start(context, { a: 1, b: 1, c: 1, d: 1 });
    await soon(() => statuses(page)).toEqual(['running', 'running', 'queued', 'queued']);
    expect(await upload(page, 'c').innerText()).toContain('Waiting');
    await (await pages.change(1)).answer(200);
    await soon(() => pages.changes.length).toBe(3);
    await soon(async () => (await statuses(page)).toSorted()).toEqual(['done', 'queued', 'running', 'running']);
    for (const nth of [0, 2, 3]) await (await pages.change(nth)).answer(200);
    await soon(() => statuses(page)).toEqual(['done', 'done', 'done', 'done']);
    expect((await page.locator('output').innerText()).split(' ').toSorted()).toEqual(['/a', '/b', '/c', '/d']);
    await press(page, 'Clear list');
    await soon(() => page.getByRole('region', { name: 'Uploads' }).count()).toBe(0);
  });

  it('shows how much has left', async (context) => {
    const page = await start(context, { 'backup.zip': LARGE });
    const progress = page.getByRole('progressbar', { name: 'backup.zip' });
    const share = async (): Promise<number> => Number(await progress.getAttribute('value')) / LARGE;
    await soon(share).toBeGreaterThan(0);
    expect(await share()).toBeLessThan(1);
    expect(await upload(page, 'backup.zip').innerText()).toMatch(/\d%/);
    await (await pages.change(0)).answer(200);
    await soon(() => statuses(page)).toEqual(['done']);
    expect(await progress.count()).toBe(0);
  });

  it('says why a file failed, goes on with the others, and sends it again on demand', async (context) => {
    const page = await start(context, { a: 1 });
    await (await pages.change(0)).answer(409, { detail: 'The disk of the device is full.' });
    await soon(() => statuses(page)).toEqual(['failed']);
    expect(await upload(page, 'a').innerText()).toContain('The disk of the device is full.');
    expect(await page.locator('output').innerText()).toBe('');
    await press(page, 'Upload a again');
    await soon(() => statuses(page)).toEqual(['running']);
    await (await pages.change(1)).answer(200);
    await soon(() => statuses(page)).toEqual(['done']);
  });

  it('takes a line that breaks off for a failure', async (context) => {
    const page = await start(context, { a: LARGE, b: 1 });
    for (const nth of [0, 1]) {
      const change = await pages.change(nth);
      if (nth === 0) change.breakOff();
      else await change.answer(200);
    }
    await soon(async () => (await statuses(page)).toSorted()).toEqual(['done', 'failed']);
  });

  it('gives up what is cancelled, and begins with the next', async (context) => {
    const page = await start(context, { a: LARGE, b: 1, c: 1, d: 1 });
    const [a] = [await pages.change(0), await pages.change(1)].filter(({ size }) => size > LARGE);
    await press(page, 'Cancel d');
    await soon(() => statuses(page)).toEqual(['running', 'running', 'queued', 'canceled']);
    await press(page, 'Cancel a');
    await soon(() => statuses(page)).toEqual(['canceled', 'running', 'running', 'canceled']);
    expect(await upload(page, 'a').innerText()).toContain('Canceled');
    await pages.change(2);
    expect(await a.isWhole()).toBe(false);
    await press(page, 'Upload d again');
    await soon(() => statuses(page)).toEqual(['canceled', 'running', 'running', 'queued']);
  });

  it('begins with none of those that wait when all are ended', async (context) => {
    const page = await start(context, { a: LARGE, b: LARGE, c: 1, d: 1 });
    await soon(() => statuses(page)).toEqual(['running', 'running', 'queued', 'queued']);
    for (const nth of [0, 1]) await pages.change(nth);
    let begun = 0;
    page.on('request', () => (begun += 1));
    await press(page, 'End');
    await soon(() => page.getByRole('region', { name: 'Uploads' }).count()).toBe(0);
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    expect([begun, pages.changes.length]).toEqual([0, 2]);
  });
});
