import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

import { CHROMIUM_PATH } from '../chromium.js';
import { Program } from '../program.js';
import { plainEnvironment } from '../service.js';

const X_SERVER = 'Xtigervnc';
const SIZE = { width: 1280, height: 720 };
/** The colour in the corner of the screen. */
export const BACKGROUND = 0x0f5257;

/** True if this machine can show a screen. */
export const canShowScreens = (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, X_SERVER)));
export const WITHOUT_SCREEN = `There is no ${X_SERVER}, so the picture of a screen stays as it was: apt-get install tigervnc-standalone-server.`;

/** The screen of the front desk: patients sign in there. It is shown by VNC on this machine only. */
export interface CheckIn {
  readonly port: number;
  stop(this: void): Promise<void>;
}

/** Starts an X server with VNC on a free display, and a browser on it that fills the screen. */
export async function startCheckIn(folder: string): Promise<CheckIn> {
  const home = join(folder, 'screen');
  await mkdir(home);
  const looks = ['-geometry', `${SIZE.width}x${SIZE.height}`, '-depth', '24'];
  const server = Program.start(X_SERVER, [X_SERVER, '-displayfd', '1', '-SecurityTypes', 'None', '-localhost', '-ac', ...looks], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home },
  });
  const [, port = ''] = await server.untilPrints(/Listening for VNC connections .*port (\d+)/);
  const [, display = ''] = await server.untilPrints(/^(\d+)$/m);
  const page = join(home, 'check-in.html');
  await writeFile(page, PAGE);
  const size = ['--window-position=0,0', `--window-size=${SIZE.width},${SIZE.height}`];
  const profile = join(home, 'profile');
  const options = [`--user-data-dir=${profile}`, '--no-first-run', '--no-sandbox', '--test-type', '--disable-gpu', '--disable-sync'];
  const browser = Program.start('Chromium', [CHROMIUM_PATH, '--kiosk', ...options, ...size, `file://${page}`], {
    cwd: home,
    env: { ...plainEnvironment(), DISPLAY: `:${display}`, HOME: home },
    inOwnGroup: true,
  });
  return {
    port: Number(port),
    async stop() {
      await browser.kill();
      await server.stop();
    },
  };
}

const PAGE = `<!doctype html>
<meta charset="utf-8">
<title>Check-in</title>
<style>
  body { margin: 0; height: 100vh; display: grid; place-content: center; justify-items: center; gap: 28px; background: #0f5257; color: #fff;
    font: 24px/1.4 'DejaVu Sans', sans-serif; cursor: default; }
  header { position: fixed; inset: 32px 40px auto; display: flex; justify-content: space-between; font-size: 20px; opacity: 0.85; }
  h1 { margin: 0; font-size: 56px; font-weight: 400; }
  p { margin: 0; opacity: 0.85; }
  main { display: grid; grid-template-columns: repeat(3, 260px); gap: 24px; margin-top: 12px; }
  main div { padding: 40px 20px; border-radius: 16px; background: #fff; color: #0f5257; text-align: center; }
  main span { display: block; font-size: 44px; }
</style>
<header><span>Acme Dental</span><span>Deutsch · English</span></header>
<h1>Good morning</h1>
<p>Please check in for your appointment.</p>
<main><div><span>▤</span>Scan your card</div><div><span>✎</span>Type your name</div><div><span>?</span>Ask for help</div></main>`;
