import { execFile, type ExecFileException } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FILE_CHUNK_BYTES } from '#libs/contracts';
import { messageOf, RefusedError } from '../failures.js';
import type { Log } from '../logs/log.js';
import type { Display } from './displays.js';
import { accountFor, environmentFor } from './session-environment.js';

/** A picture of at most 1920 × 1200 pixels takes about a second. */
const TIMEOUT_MS = 30_000;
const MAX_PICTURE_BYTES = 16 * 1024 * 1024;
/** The program beside this file, with the ending that this file has: compiled, or as it was written. */
const PROGRAM = fileURLToPath(new URL(`./capture-display${extname(import.meta.url)}`, import.meta.url));
/** Reasons for the program's failure, by exit code. */
const REASONS: Readonly<Record<number, (display: string) => string>> = {
  3: () => 'Pictures of displays cannot be taken on this device: there is no prebuilt library for it, or one that it needs is missing.',
  4: (display) => `Display ${display} of the device gave no picture. The agent may have no access to it.`,
};

/** Takes pictures of displays. Requests for a display while its picture is being taken share that picture. */
export class Previews {
  private readonly underWay = new Map<number, Promise<Uint8Array>>();

  constructor(
    private readonly log: Log,
    private readonly stopped: AbortSignal,
    /** Options of Node.js for the program. */
    private readonly nodeOptions: readonly string[] = process.execArgv,
  ) {}

  /** A JPEG of the display. Throws RefusedError when none can be taken. */
  async take(display: Display): Promise<Uint8Array> {
    const known = this.underWay.get(display.processId);
    if (known !== undefined) return known;
    const picture = this.capture(display).finally(() => this.underWay.delete(display.processId));
    this.underWay.set(display.processId, picture);
    return picture;
  }

  private async capture(display: Display): Promise<Uint8Array> {
    const account = accountFor(display);
    return new Promise((resolve, reject) => {
      execFile(
        process.execPath,
        [...this.nodeOptions, PROGRAM, ...(account === undefined ? [] : [String(account.uid), String(account.gid)])],
        {
          env: environmentFor(display),
          encoding: 'buffer',
          timeout: TIMEOUT_MS,
          killSignal: 'SIGKILL',
          maxBuffer: MAX_PICTURE_BYTES,
          signal: this.stopped,
        },
        (error, picture, printed) => {
          if (error === null && picture.length > 0) return resolve(picture);
          this.log.warn(`No picture of display :${display.number}: ${printed.toString('utf8').slice(0, 500) || messageOf(error)}`);
          reject(new RefusedError(reasonOf(error, `:${display.number}`)));
        },
      );
    });
  }
}

function reasonOf(error: ExecFileException | null, display: string): string {
  if (error?.killed === true) return `Display ${display} of the device gave no picture in time.`;
  const known = typeof error?.code === 'number' ? REASONS[error.code] : undefined;
  return known?.(display) ?? `The program that takes pictures of display ${display} has failed.`;
}

/** The picture in the pieces of the contract. */
export async function* piecesOf(picture: Uint8Array): AsyncIterable<Uint8Array> {
  for (let start = 0; start < picture.length; start += FILE_CHUNK_BYTES) yield picture.subarray(start, start + FILE_CHUNK_BYTES);
}
