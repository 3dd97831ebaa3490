import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ask } from './broker-client.js';
import { offer, type Prepared } from './broker.js';

const WEB = fileURLToPath(new URL('../../../web/', import.meta.url));

/** The resources that tests of components share. */
interface SharedByComponents {
  /** The folder of the built page `components.html`. */
  readonly folder: string;
  /** The address of a browser that is running. */
  readonly browser: string;
}

/** Offers the page of components and a browser to open it. The first call of a run builds the one and starts the other. */
export function offerComponents(): Promise<() => Promise<void>> {
  return offer('TEST_COMPONENTS_BROKER', prepare);
}

export const sharedByComponents = (): Promise<SharedByComponents> => ask('TEST_COMPONENTS_BROKER');

async function prepare(folder: string): Promise<Prepared> {
  const built = join(folder, 'components');
  // A run without these tests does not load what starts browsers.
  const { startSharedChromium } = await import('../../browser/support/chromium.js');
  await build(built);
  const browser = await startSharedChromium();
  const answer: SharedByComponents = { folder: built, browser: browser.wsEndpoint() };
  return { answer, release: () => browser.close() };
}

function build(folder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['tools/build-components.mjs', folder], { cwd: WEB }, (error, stdout, stderr) => {
      if (error === null) resolve();
      else reject(new Error(`The page of components could not be built:\n${stdout}${stderr}`));
    });
  });
}
