import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { PngThread } from './png-thread.js';
import { Frame } from './tiles.js';

/** Options with which Node.js runs the thread without a build. */
const TYPESCRIPT = ['--import', fileURLToPath(new URL('../../../../test/support/processes/run-typescript.mjs', import.meta.url))];

it('the thread that packs pictures does not start before it has read its files', async () => {
  // Without these options it cannot read them: Node.js 20 none of them, later versions those that it imports.
  await expect(PngThread.start([])).rejects.toThrow(/^(Unknown file extension|Cannot find module)/);
});

it('the thread that packs pictures fails what is asked of it after its end, and what it was doing then', async () => {
  const area = { x: 0, y: 0, width: 64, height: 64 };
  const frame = new Frame(64, 64);
  const png = await PngThread.start(TYPESCRIPT);
  await expect(png.encode(frame, area, false)).resolves.toHaveProperty('length');
  const underWay = expect(png.encode(frame, area, false)).rejects.toThrow('has ended');
  await png.stop();
  await underWay;
  await expect(png.encode(frame, area, false)).rejects.toThrow('The thread that packs pictures has ended.');
});
