import { writeSync } from 'node:fs';
import { encode } from 'jpeg-js';
import { shrunk } from './shrink.js';

/*
 * A program of its own: prints a picture of the display that DISPLAY names, as JPEG. With the arguments <uid> <gid> it does so with the
 * rights of that account only. The library takes the display from the environment of the process, and a fault in its machine code ends
 * the process.
 */

/** Exit codes. */
const NO_LIBRARY = 3;
const NO_PICTURE = 4;
const QUALITY = 75;

async function load(): Promise<typeof import('node-screenshots')> {
  try {
    return await import('node-screenshots');
  } catch (error) {
    return fail(NO_LIBRARY, error);
  }
}

async function capture({ Monitor }: typeof import('node-screenshots')): Promise<Uint8Array> {
  try {
    const monitors = Monitor.all();
    const monitor = monitors.find((candidate) => candidate.isPrimary()) ?? monitors[0];
    if (monitor === undefined) throw new Error('The display has no monitor.');
    const image = await monitor.captureImage();
    const picture = shrunk({ width: image.width, height: image.height, data: await image.toRaw() });
    return encode(picture, QUALITY).data;
  } catch (error) {
    return fail(NO_PICTURE, error);
  }
}

/** Gives up the rights of root for those of the account. */
function become(uid: number, gid: number): void {
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}

function fail(code: number, error: unknown): never {
  writeSync(process.stderr.fd, error instanceof Error ? error.message : String(error));
  process.exit(code);
}

// The library is loaded first: the account need not be able to read the folder of the agent.
const library = await load();
const [uid, gid] = process.argv.slice(2).map(Number);
if (uid !== undefined && gid !== undefined) become(uid, gid);
process.stdout.write(await capture(library));
