import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

import { DeviceActivityKind, DeviceActivityOutcome } from '../../src/devices/device-activity/device-activity-kinds.js';
import { DeviceActivity } from '../../src/devices/device-activity/device-activity.entity.js';
import type { User } from '../../src/people/users/user.entity.js';
import { newGuid } from '../../src/platform/common/identifiers/guid.js';
import { builtFrontEnd } from '../support/brokers/built-front-end.js';
import { createDevice } from '../support/fixtures/factories.js';
import { hasChromium, WITHOUT_CHROMIUM } from './support/chromium.js';
import { clickAtOnce } from './support/clicks.js';
import { frontEnd } from './support/front-end.js';

const built = hasChromium ? await builtFrontEnd() : { folder: '', pages: [] };
const suite = hasChromium ? describe : describe.skip;
const ANNA = { principalId: newGuid(), principalName: 'anna@example.org', ipAddress: '203.0.113.17' };
const BERT = { principalId: newGuid(), principalName: 'bert@example.org', ipAddress: '203.0.113.18' };
const LOG = '/var/lib/device-agent/logs/agent.log';

suite(`the activity of a device${hasChromium ? '' : ` (${WITHOUT_CHROMIUM})`}`, () => {
  const app = frontEnd(built);
  let administrator: User;
  let address: string;

  beforeAll(async () => {
    administrator = await app.administrator();
    const { id } = await createDevice(app.server, { tenantId: administrator.tenantId });
    address = `/devices/${id}/activity`;
    const add = (who: typeof ANNA, kind: DeviceActivityKind, began: string, ended: string, more: Partial<DeviceActivity> = {}) =>
      app.server.dataSource.manager.insert(DeviceActivity, {
        id: newGuid(),
        tenantId: administrator.tenantId,
        deviceId: id,
        kind,
        principalKind: 'User',
        correlationId: newGuid(),
        nodeId: 'gone',
        startedAt: new Date(`2026-03-09T${began}Z`),
        endedAt: new Date(`2026-03-09T${ended}Z`),
        outcome: DeviceActivityOutcome.Completed,
        ...who,
        ...more,
      });
    // The line of the screen broke once.
    await add(ANNA, DeviceActivityKind.Vnc, '10:00:00', '10:20:00', { bytesIn: '1500', bytesOut: '1000000' });
    await add(ANNA, DeviceActivityKind.Vnc, '10:20:05', '10:30:05', { bytesIn: '1500', bytesOut: '1000000' });
    await add(BERT, DeviceActivityKind.LogRead, '11:00:00', '11:00:02', { subject: LOG });
    await add(BERT, DeviceActivityKind.Terminal, '12:00:00', '12:05:00');
    await add(ANNA, DeviceActivityKind.Rename, '13:00:00', '13:00:00', { subject: '/srv/draft.txt → final.txt' });
  });

  /** The texts of the rows, without the head. */
  const rowsOf = async (page: Page): Promise<string[]> => {
    await page.getByRole('table').waitFor();
    return page.getByRole('table').locator('tbody tr').allInnerTexts();
  };

  it('is one line a session, with begin, end, length and bytes', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo(address);
    const rows = await rowsOf(page);
    expect(rows.map((row) => row.split('\n')[0].trim())).toEqual(['Renamed', 'Used a terminal', 'Read', 'Opened the screen']);
    const [renamed, , read, screen] = rows;
    expect(renamed).toContain('/srv/draft.txt → final.txt');
    expect(read).toContain(LOG);
    for (const part of ['anna@example.org', '30 min', 'Completed']) expect(screen).toContain(part);
    for (const part of [/10:00[\s\S]*10:30/, /3(\.0)? kB sent/, /2(\.0)? MB received/]) expect(screen).toMatch(part);
    expect(await window.check.accessibility()).toEqual([]);
  });

  it('is narrowed down by kind and person, which the address keeps', async (test) => {
    const window = await app.open(test, { user: administrator });
    const { page } = window;
    await window.goTo(address);
    await page.getByRole('combobox', { name: 'Person' }).selectOption('bert@example.org');
    await page
      .getByRole('row', { name: /anna@example\.org/ })
      .first()
      .waitFor({ state: 'detached' });
    expect(await rowsOf(page)).toHaveLength(2);
    await page.getByRole('combobox', { name: 'Activity' }).selectOption('Log read');
    await page.getByRole('row', { name: /Used a terminal/ }).waitFor({ state: 'detached' });
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('kind'), searchParams.get('person')]).toEqual(['LogRead', BERT.principalId]);

    await page.reload();
    await page.getByText(LOG).waitFor();
    expect(await rowsOf(page)).toHaveLength(1);
    // The names of people come in an answer of their own.
    const person = page.getByRole('combobox', { name: 'Person' }).locator('option:checked');
    await expect.poll(() => person.innerText()).toBe('bert@example.org');

    await page.getByRole('combobox', { name: 'Activity' }).selectOption('Upload');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('/srv/draft.txt → final.txt').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await clickAtOnce(
      page,
      [page.getByRole('combobox', { name: 'Person' }), ANNA.principalId],
      [page.getByRole('combobox', { name: 'Activity' }), 'Rename'],
    );
    await expect.poll(() => new URL(page.url()).searchParams.get('kind')).toBe('Rename');
    expect(new URL(page.url()).searchParams.get('person')).toBe(ANNA.principalId);
  });
});
