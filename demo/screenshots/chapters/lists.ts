import { idOf } from '../northwind.js';
import type { Office } from '../office.js';
import { PHONE, type Stage } from '../stage.js';

/** The list of devices: filtered, whole, with a selection, on a phone; and the palette. */
export async function listDevices({ page, camera }: Stage, { ids }: Office): Promise<void> {
  await page.goto(`/devices?tag=${idOf(ids, 'server')}&f=${encodeURIComponent('usedStoragePercent.gt.0.8')}`);
  await page.getByRole('row', { name: 'delta-backup' }).waitFor();
  await camera.take('filters');
  await page.getByRole('button', { name: 'More list actions' }).click();
  await page.getByRole('menuitem', { name: 'Save as view…' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Full servers');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('navigation').getByText('Full servers').waitFor();

  await page.goto('/devices');
  await page.getByRole('row', { name: 'delta-ware' }).waitFor();
  // The first steps are another picture.
  await page.getByRole('button', { name: "Don't show again" }).click();
  const notice = page.getByText('First steps dismissed');
  await notice.waitFor();
  await notice.waitFor({ state: 'detached' });
  await camera.take('devices');

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Go to device, page or action' }).fill('acme');
  await page.getByRole('option', { name: 'acme-xray' }).waitFor();
  await camera.take('palette');
  await page.keyboard.press('Escape');

  await page.goto(`/devices?group=${idOf(ids, 'Classrooms')}`);
  for (const number of [1, 2, 3])
    await page
      .getByRole('row', { name: `cedar-lab-0${number}` })
      .getByRole('checkbox')
      .check();
  await page.getByRole('toolbar').getByRole('button', { name: 'Restart' }).waitFor();
  await camera.take('bulk');

  const size = page.viewportSize();
  await page.setViewportSize(PHONE);
  await page.goto('/devices');
  await page.getByText('cedar-dc').waitFor();
  await camera.take('phone');
  if (size !== null) await page.setViewportSize(size);
}
