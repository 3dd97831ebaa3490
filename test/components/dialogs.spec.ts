import type { Locator, Page } from 'playwright-core';
import { describe, expect, it, type TestContext } from 'vitest';

import { hasChromium, WITHOUT_CHROMIUM } from '../browser/support/chromium.js';
import { hold, twoFrames } from '../browser/support/hold.js';
import type { Asked } from './asked.js';
import { componentPages, focused, soon, untilVisible } from './component-pages.js';

const suite = hasChromium ? describe : describe.skip;

suite(`a dialog${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const pages = componentPages([/^4\d\d POST \/acts\//, '404 GET /stored']);

  const open = async (context: TestContext, button: string): Promise<Page> => {
    const page = await pages.open(context, { name: 'dialogs', subject: 'Acme Dental' });
    await page.getByRole('button', { name: button }).press('Enter');
    await untilVisible(page.getByRole('dialog'));
    return page;
  };
  const isOpen = (page: Page): Promise<boolean> => page.getByRole('dialog').isVisible();
  /** The state that `GET /stored` answers. */
  const store = (name: string): void => pages.answer('/stored', { value: { name }, tag: name });
  const notifications = (page: Page): Locator => page.locator('[data-toasts]');

  /** Sends the form or the answer of the dialog that is open, once it has been read. */
  async function send(page: Page): Promise<Asked> {
    await page
      .getByLabel('Name')
      .or(page.getByRole('button', { name: 'Suspend', exact: true }))
      .press('Enter');
    return pages.change(0);
  }

  /** Closes the dialog, which then fades until the test ends. */
  async function closeSlowly(page: Page): Promise<void> {
    await page.addStyleTag({ content: ':root { --float: 3600s; }' });
    await page.keyboard.press('Escape');
    await untilVisible(page.locator('[role=dialog][data-closed]'));
  }

  it('gets the focus, keeps it, and gives it back when Escape closes it', async (context) => {
    const page = await open(context, 'Rename…');
    await soon(() => focused(page)).toBe('Name');
    for (const stop of ['Cancel', 'Save', 'Close', 'Name']) {
      await page.keyboard.press('Tab');
      await soon(() => focused(page)).toBe(stop);
    }
    await page.keyboard.press('Escape');
    await soon(() => isOpen(page)).toBe(false);
    await soon(() => focused(page)).toBe('Rename…');
    expect(pages.changes).toEqual([]);
  });

  it.for(['Cancel', 'Close'])('gives the focus back when %s closes it', async (button, context) => {
    const page = await open(context, 'Withdraw…');
    await page.getByRole('button', { name: button }).click();
    await soon(() => isOpen(page)).toBe(false);
    await soon(() => focused(page)).toBe('Withdraw…');
  });

  it('sends once, stays open while the service works, and closes when it is done', async (context) => {
    const page = await open(context, 'Rename…');
    await soon(() => focused(page)).toBe('Name');
    await page.keyboard.press('Enter');
    const save = page.getByRole('button', { name: 'Save' });
    await soon(() => save.getAttribute('aria-busy')).toBe('true');
    const change = await pages.change(0);
    await page.keyboard.press('Enter');
    await save.click({ force: true });
    expect(await isOpen(page)).toBe(true);
    expect(await page.getByRole('textbox').inputValue()).toBe('Acme Dental');
    await change.answer(200);
    await soon(() => isOpen(page)).toBe(false);
    await soon(() => focused(page)).toBe('Rename…');
    expect(pages.changes).toEqual(['/acts/save']);
  });

  it('shows a refusal beside its field, with what was entered, and sends again', async (context) => {
    const page = await open(context, 'Rename…');
    await page.getByRole('textbox').fill('Northwind');
    await page.keyboard.press('Enter');
    await (await pages.change(0)).answer(422, { errors: { name: ['This name is taken.'] } });
    await untilVisible(page.getByText('This name is taken.'));
    const name = page.getByRole('textbox');
    expect(await name.inputValue()).toBe('Northwind');
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    await name.fill('Northwind 2');
    await page.keyboard.press('Enter');
    await (await pages.change(1)).answer(200);
    await soon(() => isOpen(page)).toBe(false);
  });

  it('begins without the last refusal when it opens again', async (context) => {
    const page = await open(context, 'Withdraw…');
    await soon(() => focused(page)).toBe('Withdraw');
    await page.keyboard.press('Enter');
    await (await pages.change(0)).answer(409, { detail: 'Robin has accepted it already.' });
    await untilVisible(page.getByRole('dialog').getByText('Robin has accepted it already.'));
    await page.keyboard.press('Escape');
    await soon(() => focused(page)).toBe('Withdraw…');
    await page.keyboard.press('Enter');
    await untilVisible(page.getByRole('dialog'));
    expect(await page.getByText('Robin has accepted it already.').count()).toBe(0);
  });

  it('stays open when the service is done with what a former opening has sent', async (context) => {
    const page = await open(context, 'Withdraw…');
    await soon(() => focused(page)).toBe('Withdraw');
    await page.keyboard.press('Enter');
    const change = await pages.change(0);
    await page.keyboard.press('Escape');
    await soon(() => focused(page)).toBe('Withdraw…');
    await page.keyboard.press('Enter');
    await soon(() => focused(page)).toBe('Withdraw');
    expect(await page.getByRole('button', { name: 'Withdraw' }).getAttribute('aria-busy')).toBeNull();
    const isAnswered = page.waitForEvent('requestfinished');
    await change.answer(200);
    await isAnswered;
    await twoFrames(page);
    expect(await isOpen(page)).toBe(true);
    expect(await focused(page)).toBe('Withdraw');
  });

  it.for(['Rename…', 'Withdraw…'])('stays open when the service is done with what %s has sent before', async (former, context) => {
    const page = await open(context, former);
    await soon(() => focused(page)).toMatch(/^(Name|Withdraw)$/);
    await page.keyboard.press('Enter');
    const change = await pages.change(0);
    await page.keyboard.press('Escape');
    await soon(() => focused(page)).toBe(former);
    await page.getByRole('button', { name: 'Delete…' }).press('Enter');
    await untilVisible(page.getByRole('dialog', { name: 'Delete Acme Dental?' }));
    const isAnswered = page.waitForEvent('requestfinished');
    await change.answer(200);
    await isAnswered;
    await twoFrames(page);
    expect(await isOpen(page)).toBe(true);
  });

  it.for([
    ['Edit…', 'Not saved: someone else has changed Acme Dental since.', 412],
    ['Edit…', "Not saved: Acme Dental was deleted, or you don't have access to it.", 404],
    ['Suspend…', 'Not done: someone else has changed Acme Dental since.', 412],
  ] as const)('that is left before the service refuses (%s) is followed by a notification: %s', async (refused, context) => {
    const [button, sentence, status] = refused;
    store('Acme Dental');
    const page = await open(context, button);
    const change = await send(page);
    await page.keyboard.press('Escape');
    await soon(() => isOpen(page)).toBe(false);
    store('Acme Dental Group');
    await change.answer(status);
    await untilVisible(notifications(page).getByText(sentence));
    expect(pages.changes).toHaveLength(1);
  });

  it.for(['has been read', 'turns out to be gone'])('sends and tells nothing when it is left before its thing %s', async (end, context) => {
    if (end === 'has been read') store('Acme Dental');
    else pages.answer('/stored', null);
    const page = await pages.open(context, { name: 'dialogs', subject: 'Acme Dental' });
    const { isHeld, go } = await hold(page, /\/stored$/);
    await page.getByRole('button', { name: 'Suspend…' }).press('Enter');
    await isHeld;
    await soon(() => focused(page)).toBe('Suspend');
    await page.keyboard.press('Enter');
    await soon(() => page.getByRole('button', { name: 'Suspend', exact: true }).getAttribute('aria-busy')).toBe('true');
    await page.keyboard.press('Escape');
    await soon(() => isOpen(page)).toBe(false);
    const isRead = page.waitForEvent('requestfinished');
    go();
    await isRead;
    await twoFrames(page);
    expect(pages.changes).toEqual([]);
    expect(await notifications(page).getByRole('button').count()).toBe(0);
  });

  it('that is opened again begins with what it is still saving', async (context) => {
    store('Acme Dental');
    const page = await open(context, 'Edit…');
    await page.getByLabel('Name').fill('Acme Group');
    const change = await send(page);
    await page.keyboard.press('Escape');
    await soon(() => isOpen(page)).toBe(false);
    await page.getByRole('button', { name: 'Edit…' }).press('Enter');
    await soon(() => isOpen(page)).toBe(true);
    await twoFrames(page);
    expect(await page.getByLabel('Name').count()).toBe(0);
    store('Acme Group');
    await change.answer(200);
    await soon(() => page.getByLabel('Name').inputValue()).toBe('Acme Group');
  });

  it('that asks about what is still being saved first lets it be saved', async (context) => {
    store('Acme Dental');
    const page = await open(context, 'Edit…');
    const change = await send(page);
    await page.keyboard.press('Escape');
    await soon(() => isOpen(page)).toBe(false);
    let readings = 0;
    page.on('request', (request) => (readings += request.url().endsWith('/stored') ? 1 : 0));
    await page.getByRole('button', { name: 'Suspend…' }).press('Enter');
    await soon(() => focused(page)).toBe('Suspend');
    await twoFrames(page);
    expect(readings).toBe(0);
    await change.answer(200);
    await soon(() => readings).toBe(1);
  });

  it('shows a refusal as a notification while it fades', async (context) => {
    store('Acme Dental');
    const page = await open(context, 'Edit…');
    const change = await send(page);
    await closeSlowly(page);
    await change.answer(422, { errors: { name: ['This name is taken.'] } });
    await untilVisible(notifications(page).getByText('This name is taken.'));
  });

  it('leaves the next one open when the service is done while it fades', async (context) => {
    store('Acme Dental');
    const page = await open(context, 'Edit…');
    const change = await send(page);
    await closeSlowly(page);
    await page.getByRole('button', { name: 'Delete…' }).press('Enter');
    const next = page.locator('[role=dialog][data-open]');
    await untilVisible(next);
    const isAnswered = page.waitForEvent('requestfinished');
    await change.answer(200);
    await isAnswered;
    await twoFrames(page);
    expect(await next.getByRole('heading').innerText()).toBe('Delete Acme Dental?');
  });

  it('acts only once the name is typed, where it asks for the name', async (context) => {
    const page = await open(context, 'Delete…');
    const act = page.getByRole('button', { name: 'Delete customer' });
    await soon(() => focused(page)).toContain('Acme Dental');
    for (const [typed, isEnabled] of [
      ['', false],
      ['Acme', false],
      ['acme dental', false],
      ['Acme Dental 2', false],
      [' Acme Dental ', true],
    ] as const) {
      await page.getByRole('textbox').fill(typed);
      await soon(() => act.isEnabled()).toBe(isEnabled);
      if (!isEnabled) await page.keyboard.press('Enter');
    }
    expect(pages.changes).toEqual([]);
    await page.keyboard.press('Enter');
    await (await pages.change(0)).answer(200);
    await soon(() => isOpen(page)).toBe(false);
    expect(pages.changes).toEqual(['/acts/delete']);
  });
});
