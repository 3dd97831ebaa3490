import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Rectangle } from '../platform.js';
import type { PngAnswer, PngRequest } from './png-worker.js';
import type { Frame } from './tiles.js';

/** The program of the thread, with the ending that this file has: compiled, or as it was written. */
const PROGRAM = new URL(`./png-worker${extname(import.meta.url)}`, import.meta.url);

const ENDED = 'The thread that packs pictures has ended.';

/** Packs PNG in a thread of its own. */
export class PngThread {
  private readonly waiting = new Map<number, { resolve(png: Uint8Array | undefined): void; reject(error: Error): void }>();
  private nextId = 1;
  /** The reason why the thread has ended. */
  private fault: Error | undefined;

  private constructor(private readonly worker: Worker) {
    worker.on('message', ({ id, png }: PngAnswer) => {
      this.waiting.get(id)?.resolve(png);
      this.waiting.delete(id);
    });
    worker.on('error', (error: Error) => this.fail(error));
    worker.on('exit', () => this.fail(new Error(ENDED)));
  }

  /** Starts the thread. Its files have been read once this resolves. `nodeOptions` are for tests: options of Node.js for it. */
  static async start(nodeOptions?: readonly string[]): Promise<PngThread> {
    const worker = new Worker(PROGRAM, nodeOptions === undefined ? {} : { execArgv: [...nodeOptions] });
    // It is online before it has read its files.
    await new Promise<void>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    return new PngThread(worker);
  }

  /**
   * A PNG of a part of the frame, which must not change before. Undefined if it has more than 256 colours and is not forced. Throws when the
   * thread has ended.
   */
  async encode(frame: Frame, { x, y, width, height }: Rectangle, isForced: boolean): Promise<Uint8Array | undefined> {
    if (this.fault !== undefined) throw this.fault;
    const id = this.nextId++;
    const request: PngRequest = { id, memory: frame.memory, area: { stride: frame.width, x, y, width, height }, isForced };
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage(request, []);
    });
  }

  /** Ends the thread. What is under way fails at once, also where the thread has just finished it. */
  async stop(): Promise<void> {
    this.fail(new Error(ENDED));
    await this.worker.terminate();
  }

  private fail(error: Error): void {
    this.fault ??= error;
    for (const each of this.waiting.values()) each.reject(error);
    this.waiting.clear();
  }
}
