import { parentPort } from 'node:worker_threads';
import { palettePng, trueColourPng, type PixelArea } from './png.js';

/* The thread that counts colours and packs PNG, so that the session's own thread stays free for input. */

/** A request to the thread. */
export interface PngRequest {
  readonly id: number;
  readonly memory: SharedArrayBuffer;
  readonly area: Omit<PixelArea, 'pixels'>;
  /** True: also where there are more than 256 colours. */
  readonly isForced: boolean;
}

/** Its answer. */
export interface PngAnswer {
  readonly id: number;
  /** Undefined where there are too many colours. */
  readonly png: Uint8Array | undefined;
}

parentPort?.on('message', ({ id, memory, area, isForced }: PngRequest) => {
  const all = { ...area, pixels: new Uint32Array(memory) };
  const png = palettePng(all) ?? (isForced ? trueColourPng(all) : undefined);
  const answer: PngAnswer = { id, png };
  parentPort?.postMessage(answer, []);
});
// All files have been read.
parentPort?.postMessage('ready', []);
