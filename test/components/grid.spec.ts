import type { Page } from 'playwright-core';
import { describe, expect, it, type TestContext } from 'vitest';

import { hasChromium, WITHOUT_CHROMIUM } from '../browser/support/chromium.js';
import { componentPages, soon } from './component-pages.js';

/** More rows than are made at a time: those in sight, and twenty beyond them. */
const ROWS = Array.from({ length: 100 }, (_, at) => ({ id: `row-${String(at).padStart(2, '0')}`, size: (at * 37) % 100 }));

const suite = hasChromium ? describe : describe.skip;

suite(`a grid${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const pages = componentPages();

  const open = async (context: TestContext): Promise<Page> => {
    const page = await pages.open(context, { name: 'grid', rows: ROWS });
    await rowOf(page, 'row-00').focus();
    return page;
  };
  const rowOf = (page: Page, id: string) => page.locator(`[data-id="${id}"]`);
  const press = async (page: Page, ...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  /** The row that has the focus, or in which something has it. */
  const focusedRow = (page: Page): Promise<string | undefined> => page.evaluate(`document.activeElement.closest('[data-id]')?.dataset.id`);
  const selected = (page: Page): Promise<string[]> =>
    page.evaluate(`[...document.querySelectorAll('[aria-selected=true]')].map(({ dataset }) => dataset.id)`);
  const inSight = (page: Page): Promise<string[]> =>
    page.evaluate(`[...document.querySelectorAll('[data-id]')].slice(0, 3).map(({ dataset }) => dataset.id)`);

  it('moves the focus by arrows, letters, Home and End, and stops at its edges', async (context) => {
    const page = await open(context);
    for (const [key, row] of [
      ['ArrowUp', 'row-00'],
      ['ArrowDown', 'row-01'],
      ['j', 'row-02'],
      ['k', 'row-01'],
      ['End', 'row-99'],
      ['ArrowDown', 'row-99'],
      ['ArrowUp', 'row-98'],
      ['Home', 'row-00'],
    ] as const) {
      await press(page, key);
      await soon(() => focusedRow(page)).toBe(row);
      expect(await rowOf(page, row).getAttribute('tabindex')).toBe('0');
    }
    expect(await selected(page)).toEqual([]);
  });

  it('moves by as many rows as are in sight', async (context) => {
    const page = await open(context);
    await press(page, 'PageDown');
    await soon(() => focusedRow(page)).not.toBe('row-00');
    const next = Number((await focusedRow(page))?.slice(4));
    expect(next).toBeGreaterThan(3);
    expect(next).toBeLessThan(20);
    await press(page, 'PageUp');
    await soon(() => focusedRow(page)).toBe('row-00');
  });

  it('is one stop of the Tab key, which comes back to the row that it left', async (context) => {
    const page = await open(context);
    await press(page, 'ArrowDown', 'ArrowDown');
    await soon(() => focusedRow(page)).toBe('row-02');
    await press(page, 'Shift+Tab');
    await soon(() => focusedRow(page)).toBeUndefined();
    await press(page, 'Tab');
    await soon(() => focusedRow(page)).toBe('row-02');
  });

  it('selects a row by Space, a range by Shift, and none by Escape', async (context) => {
    const page = await open(context);
    await press(page, 'ArrowDown', 'Space');
    await soon(() => selected(page)).toEqual(['row-01']);
    await press(page, 'Shift+ArrowDown', 'Shift+ArrowDown');
    await soon(() => selected(page)).toEqual(['row-01', 'row-02', 'row-03']);
    await soon(() => focusedRow(page)).toBe('row-03');
    await press(page, 'ArrowDown', 'ArrowDown', 'Space');
    await soon(() => selected(page)).toEqual(['row-01', 'row-02', 'row-03', 'row-05']);
    await press(page, 'Space');
    await soon(() => selected(page)).toEqual(['row-01', 'row-02', 'row-03']);
    await press(page, 'Escape');
    await soon(() => selected(page)).toEqual([]);
  });

  it('extends the selection from the focus to the last row', async (context) => {
    const page = await open(context);
    await press(page, 'End', 'ArrowUp', 'ArrowUp');
    await soon(() => focusedRow(page)).toBe('row-97');
    await press(page, 'Shift+End');
    await soon(() => selected(page)).toEqual(['row-97', 'row-98', 'row-99']);
  });

  it('selects all rows by Ctrl+A or its box, and says when only some are selected', async (context) => {
    const page = await open(context);
    const box = page.getByRole('checkbox', { name: 'Select all loaded rows' });
    const state = (): Promise<boolean[]> =>
      page.evaluate(`(({ checked, indeterminate }) => [checked, indeterminate])(document.querySelector('[role=columnheader] input'))`);
    await press(page, 'Control+a');
    await soon(state).toEqual([true, false]);
    await press(page, 'End');
    await soon(() => rowOf(page, 'row-99').getAttribute('aria-selected')).toBe('true');
    await press(page, 'Space');
    await soon(state).toEqual([true, true]);
    await box.click();
    await soon(state).toEqual([false, false]);
    await soon(() => selected(page)).toEqual([]);
    await box.click();
    await soon(state).toEqual([true, false]);
  });

  it('selects by the boxes of its rows, a range with Shift', async (context) => {
    const page = await open(context);
    const boxOf = (id: string) => rowOf(page, id).getByRole('checkbox');
    await boxOf('row-01').click();
    await boxOf('row-03').click({ modifiers: ['Shift'] });
    await soon(() => selected(page)).toEqual(['row-01', 'row-02', 'row-03']);
    expect(await page.locator('output').innerText()).toBe('');
  });

  it('begins a range at the row that was selected, wherever that is after the rows were sorted', async (context) => {
    const page = await open(context);
    const boxOf = (id: string) => rowOf(page, id).getByRole('checkbox');
    await boxOf('row-03').click();
    const size = page.getByRole('button', { name: 'Size' });
    await size.click();
    // By size, row-03 is followed by row-76 and row-49.
    await boxOf('row-49').click({ modifiers: ['Shift'] });
    await soon(async () => (await selected(page)).toSorted()).toEqual(['row-03', 'row-49', 'row-76']);
    await size.click();
    // Now it is far below.
    await boxOf('row-81').click({ modifiers: ['Shift'] });
    await soon(() => selected(page)).toEqual(['row-81']);
  });

  it('opens a row by Enter or a click', async (context) => {
    const page = await open(context);
    const opened = (): Promise<string> => page.locator('output').innerText();
    await press(page, 'ArrowDown', 'Enter');
    await soon(opened).toBe('row-01');
    await rowOf(page, 'row-04').getByText('row-04').click();
    await soon(opened).toBe('row-04');
    await soon(() => focusedRow(page)).toBe('row-04');
  });

  it('acts on the row that has the focus, also after it has moved', async (context) => {
    const page = await pages.open(context, {
      name: 'grid',
      rows: [
        { id: 'a', size: 3 },
        { id: 'b', size: 1 },
        { id: 'c', size: 2 },
      ],
    });
    await rowOf(page, 'b').focus();
    await press(page, 'Space');
    await soon(() => selected(page)).toEqual(['b']);
    // The rows move, as they do when a list is read again: the focus stays where it is.
    await page.getByRole('columnheader', { name: 'Size' }).getByRole('button').dispatchEvent('click');
    await soon(() => inSight(page)).toEqual(['b', 'c', 'a']);
    expect(await focusedRow(page)).toBe('b');
    await press(page, 'Enter');
    await soon(() => page.locator('output').innerText()).not.toBe('');
    expect(await page.locator('output').innerText()).toBe('b');
    expect(await rowOf(page, 'b').getAttribute('tabindex')).toBe('0');
    await press(page, 'Shift+ArrowDown');
    await soon(() => focusedRow(page)).toBe('c');
    await soon(() => selected(page)).toEqual(['b', 'c']);
  });

  it('sorts by a press on a header, and says by which and in which direction', async (context) => {
    const page = await open(context);
    const header = (name: string) => page.getByRole('columnheader', { name, exact: true });
    const direction = (name: string): Promise<string | null> => header(name).getAttribute('aria-sort');
    expect(await direction('Name')).toBe('ascending');
    await header('Size').getByRole('button').click();
    await soon(() => inSight(page)).toEqual(['row-00', 'row-73', 'row-46']);
    expect([await direction('Name'), await direction('Size')]).toEqual([null, 'ascending']);
    await press(page, 'Enter');
    await soon(() => direction('Size')).toBe('descending');
    expect(await inSight(page)).toEqual(['row-27', 'row-54', 'row-81']);
    expect(await header('Note').getByRole('button').count()).toBe(0);
  });

  it('leads from header to header by the arrow keys', async (context) => {
    const page = await open(context);
    const focusedColumn = (): Promise<string> => page.evaluate(`document.activeElement.closest('[data-column]')?.dataset.column`);
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').focus();
    for (const [key, column] of [
      ['ArrowRight', 'size'],
      ['ArrowRight', 'note'],
      ['ArrowRight', 'note'],
      ['ArrowLeft', 'size'],
    ] as const) {
      await press(page, key);
      await soon(focusedColumn).toBe(column);
    }
  });

  it('leaves nothing behind of a row that stands at two places', async (context) => {
    const page = await pages.open(context, { name: 'grid', rows: [...ROWS, ROWS[5]] });
    await soon(() => rowOf(page, 'row-05').count()).toBe(2);
    await rowOf(page, 'row-00').focus();
    await press(page, 'End');
    await soon(() => focusedRow(page)).toBe('row-99');
    await soon(() => rowOf(page, 'row-05').count()).toBe(0);
  });
});
