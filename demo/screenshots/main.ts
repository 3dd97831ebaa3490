import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { CHROMIUM_PATH, hasChromium, startChromium } from '../chromium.js';
import { Program } from '../program.js';
import { launchService, plainEnvironment, stopOrphanedPostgres, untilListening } from '../service.js';
import { Camera } from './camera.js';
import { canShowScreens, startCheckIn, WITHOUT_SCREEN } from './check-in.js';
import { FrontDesk } from './device.js';
import { tellStory } from './story.js';
import { canShowDesktops, startWorkplace, WITHOUT_DESKTOP } from './workplace.js';

/*
 * Takes the pictures of the guide into `docs/pictures`, from a real service, a real agent and a real browser. Linux only. Everything
 * else is in one temporary folder, which is removed at the end.
 */

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
const PICTURES = join(PROJECT, 'docs/pictures');
/** The page at which the story broke off. */
const LAST_PAGE = join(PROJECT, 'test-output/screenshots/broken-off.png');
/** Pictures that are taken only where they can be. */
const SCREEN = 'screen';
const DESKTOP = ['desktop', 'desktop-phone'];
/** Addresses in the pictures instead of those of the service and of its callers on this machine. */
const SHOWN_URL = 'https://devices.northwind.example';
const SHOWN_ADDRESS = '198.51.100.23';
const WINDOW = { width: 1440, height: 860 };
const SCALE = 2;
const TIMEOUT_MS = 30_000;

/** Steps to undo, the last one first. */
type CleanUp = () => Promise<unknown>;

async function takePictures(folder: string, cleanUps: CleanUp[]): Promise<void> {
  if (!hasChromium) throw new Error(`There is no ${CHROMIUM_PATH}: apt-get install chromium, or set CHROMIUM_PATH.`);
  const bundles = join(folder, 'bundles');
  console.log('building the front end and a bundle of the agent');
  await run('The build of the front end', [join(PROJECT, 'web/tools/build.mjs')], folder);
  await run(
    'The build of the bundle',
    [join(PROJECT, 'dist/agent/bundle/main.js'), '--only', 'linux-x64', '--node', process.execPath, '--output', bundles],
    folder,
  );

  const service = launchService(PROJECT, folder, {
    Service_Port: '0',
    Service_BindAddress: '127.0.0.1',
    Service_DataPath: join(folder, 'data'),
    Service_WebPath: join(PROJECT, 'web/dist'),
    Service_AgentBundle__Folder: bundles,
  });
  cleanUps.push(() => service.stop());
  const { url: serviceUrl } = await untilListening(service);
  const [, host = ''] = await service.untilPrints(/bundled PostgreSQL at (\S+)/);

  // Without WebGL a terminal is drawn with elements, as sharp as other text.
  const browser = await startChromium(serviceUrl, { args: ['--disable-3d-apis'] });
  cleanUps.push(() => browser.close());
  const context = await browser.newContext({
    baseURL: serviceUrl,
    locale: 'en-US',
    timezoneId: 'UTC',
    viewport: WINDOW,
    deviceScaleFactor: SCALE,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  page.on('dialog', (dialog) => void dialog.accept());
  const camera = await Camera.of(page);
  camera.replace(serviceUrl, SHOWN_URL);
  camera.replace('127.0.0.1', SHOWN_ADDRESS);
  for (const [address, shown] of FrontDesk.shownAddresses()) camera.replace(address, shown);

  const checkIn = canShowScreens ? await startCheckIn(folder) : null;
  if (checkIn === null) console.log(WITHOUT_SCREEN);
  else cleanUps.push(checkIn.stop);
  const workplace = canShowDesktops ? await startWorkplace(folder) : null;
  if (workplace === null) console.log(WITHOUT_DESKTOP);
  else cleanUps.push(workplace.stop);
  const desk = await FrontDesk.prepare(PROJECT, folder, workplace);
  const story = tellStory({
    page,
    camera,
    serviceUrl,
    database: { host, user: 'app', database: 'app' },
    screenPort: checkIn?.port ?? null,
    workplace,
    async startDevice(args, secret) {
      const installation = await desk.agent(['install', '--no-service', ...args], { DEVICE_AGENT_KEY_SECRET: secret });
      await installation.untilPrints(/Device (\S+) is installed/);
      await installation.untilEnd();
      const agent = await desk.agent(['run']);
      cleanUps.push(() => agent.stop());
    },
  });
  await story.catch(async (error: unknown) => {
    await page.screenshot({ path: LAST_PAGE });
    throw new Error(`The story broke off at ${page.url()}. ${LAST_PAGE} shows the page.`, { cause: error });
  });
  await camera.store(PICTURES, [...(checkIn === null ? [SCREEN] : []), ...(workplace === null ? DESKTOP : [])]);
}

/** Runs a program of Node.js to its end. */
async function run(name: string, args: readonly string[], cwd: string): Promise<void> {
  const program = Program.start(name, [process.execPath, ...args], { cwd, env: plainEnvironment() });
  const { code } = await program.untilEnd(300_000);
  if (code !== 0) throw new Error(`${name} failed:\n${program.output}`);
}

async function main(): Promise<number> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'screenshots-')));
  // When this runs as root, the bundled PostgreSQL runs as another account.
  await chmod(folder, 0o755);
  const cleanUps: CleanUp[] = [() => rm(folder, { recursive: true, force: true }), () => stopOrphanedPostgres(join(folder, 'data'))];
  let exitCode = 0;
  try {
    await takePictures(folder, cleanUps);
  } catch (error) {
    console.error(error);
    exitCode = 1;
  }
  for (const cleanUp of cleanUps.reverse()) {
    try {
      await cleanUp();
    } catch (error) {
      console.error(`Cleaning up failed: ${error instanceof Error ? error.message : String(error)}`);
      exitCode = 1;
    }
  }
  return exitCode;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.exitCode = await main();
