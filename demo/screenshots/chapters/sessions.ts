import { BACKGROUND } from '../check-in.js';
import { FILES } from '../device.js';
import type { Office } from '../office.js';
import { PHONE, type Stage } from '../stage.js';
import { untilTrue } from '../until-true.js';
import type { Workplace } from '../workplace.js';

const USUAL_PORT = 5900;
/** True once a corner of the device's screen has arrived. */
const SHOWS_CHECK_IN = `(() => {
  const canvas = document.querySelector('main canvas');
  const [red, green, blue] = canvas?.getContext('2d')?.getImageData(8, canvas.height - 8, 1, 1).data ?? [];
  return (red << 16 | green << 8 | blue) === ${BACKGROUND};
})()`;

/** A terminal, files, the desktop and the screen of the front desk. Terminal and screen go on running. */
export async function workOnDevice(stage: Stage, office: Office): Promise<void> {
  await useTerminal(stage, office);
  await lookAtFiles(stage, office);
  if (stage.workplace !== null) await controlDesktop(stage, office, stage.workplace);
  if (stage.screenPort !== null) await lookAtScreen(stage, office, stage.screenPort);
}

async function useTerminal({ page, camera }: Stage, { deviceId }: Office): Promise<void> {
  /** Waits until the terminal's elements contain the text. */
  const untilDrawn = (text: string): Promise<void> => page.locator('.xterm-rows', { hasText: text }).waitFor();
  await page.goto(`/devices/${deviceId}/terminal`);
  await untilDrawn(FILES);
  for (const [line, last] of [
    ['ls -l --time-style=long-iso', 'update.sh'],
    ['tail -n 4 backup.log', 'done in 9 s'],
    ['cat notes.txt', 'pushed in firmly'],
  ] as const) {
    await page.keyboard.type(`${line}\n`);
    await untilDrawn(last);
  }
  await camera.take('terminal');
}

async function lookAtFiles({ page, camera }: Stage, { deviceId }: Office): Promise<void> {
  await page.goto(`/devices/${deviceId}/files?path=${encodeURIComponent(FILES)}`);
  await page.getByRole('row', { name: 'price-list.ods' }).waitFor();
  await page.getByRole('row', { name: 'backup.log' }).getByRole('checkbox').check();
  await page.getByRole('row', { name: 'check-in.conf' }).getByRole('checkbox').check();
  await camera.take('files');
}

async function lookAtScreen({ page, camera }: Stage, { deviceId }: Office, port: number): Promise<void> {
  camera.replace(`port ${port}`, `port ${USUAL_PORT}`);
  await page.goto(`/devices/${deviceId}/screen?port=${port}`);
  await page.getByRole('button', { name: 'Connect by VNC' }).click();
  await untilTrue(page, SHOWS_CHECK_IN);
  await camera.take('screen');
  await page.getByRole('toolbar', { name: 'Screen tools' }).getByRole('button', { name: 'End', exact: true }).click();
  await page.getByRole('button', { name: 'Connect by VNC' }).waitFor();
}

/** The desktop, and then on a phone that lies on its side. The system's account stands in for the one that works there. */
async function controlDesktop({ page, camera }: Stage, { deviceId }: Office, { display, processId }: Workplace): Promise<void> {
  for (const name of [`Desktop of X11 display :${display}`, 'Desktop of root']) camera.replace(name, 'Desktop of reception');
  await page.goto(`/devices/${deviceId}/screen?process=${processId}`);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.locator('main canvas:not([data-last-picture])').waitFor();
  await page.getByText(/frames\/s/).waitFor();
  await camera.take('desktop');
  const size = page.viewportSize();
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  await page.setViewportSize({ width: PHONE.height, height: PHONE.width });
  await page.getByRole('toolbar', { name: 'Keys' }).waitFor();
  await camera.take('desktop-phone');
  await devTools.send('Emulation.setTouchEmulationEnabled', { enabled: false });
  await devTools.detach();
  if (size !== null) await page.setViewportSize(size);
  await page.getByRole('toolbar', { name: 'Desktop tools' }).getByRole('button', { name: 'End', exact: true }).click();
  await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
}
