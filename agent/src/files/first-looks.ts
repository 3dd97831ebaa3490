import { isUtf8 } from 'node:buffer';
import { spawn } from 'node:child_process';
import type { Stats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { RefusedError } from '../failures.js';

/** Time in which a file system answers unless it is broken. */
const ANSWER_WITHIN_MS = 10_000;
/** Threads of this process for files, names of hosts and random numbers. */
const THREADS = Number(process.env['UV_THREADPOOL_SIZE']) || 4;
/** Most programs that look at the same time. */
const MAX_PROGRAMS = 8;

/**
 * First looks at paths that viewers name. A file system that does not answer, as one of a network that is gone, keeps the thread that looks
 * at it. Half of the threads may be kept so: without the others the agent could neither report nor connect. While they all are, a program
 * looks first, which can be ended.
 */
export class FirstLooks {
  private readonly underWay = new Map<string, Promise<Stats | undefined>>();
  /** Those whose file systems take so long that they may never answer. */
  private readonly hanging = new Set<string>();
  private programs = 0;
  private readonly waiting = new Set<() => void>();

  constructor(
    private readonly withinMs = ANSWER_WITHIN_MS,
    private readonly most = Math.max(1, Math.floor(THREADS / 2)),
  ) {}

  /**
   * The status of the entry at the path, links followed; undefined if there is none, or the account may not see it.
   * @throws RefusedError when its file system does not answer in time
   */
  async statusAt(path: string | Buffer): Promise<Stats | undefined> {
    return this.inTime(path, stat);
  }

  /** As {@link statusAt}, of a link itself. What is to be changed is looked at so: a mounted file system may begin there. */
  async entryAt(path: string): Promise<Stats | undefined> {
    return this.inTime(path, lstat);
  }

  private async inTime(path: string | Buffer, read: typeof stat): Promise<Stats | undefined> {
    const end = new AbortController();
    const tooLate = delay(this.withinMs, undefined, { signal: end.signal, ref: false }).then(async () => {
      // Where this process was held up itself, the answer is there already.
      await nextTurn();
      throw new RefusedError('The file system of the device does not answer.');
    });
    try {
      return await Promise.race([this.look(path, read, end.signal), tooLate]);
    } finally {
      end.abort();
      await tooLate.catch(() => undefined);
    }
  }

  /** Looks once for all who ask at the same time. */
  private async look(path: string | Buffer, read: typeof stat, end: AbortSignal): Promise<Stats | undefined> {
    const place = placeOf(path);
    const key = `${read.name} ${place}`;
    let wasAsked = false;
    for (;;) {
      const known = this.underWay.get(key);
      if (known !== undefined) return known;
      if (!this.isWithinAnother(place)) {
        if (this.underWay.size < this.most) break;
        if (!wasAsked && this.hanging.size >= this.most && this.programs < MAX_PROGRAMS) {
          wasAsked = true;
          if (await this.answersProgram(path, read, end)) break;
        }
      }
      if (!end.aborted) await this.nextEnd(end);
      if (end.aborted) return undefined;
    }
    return this.underWay.get(key) ?? this.begin(key, path, read);
  }

  private async begin(key: string, path: string | Buffer, read: typeof stat): Promise<Stats | undefined> {
    const late = setTimeout(() => {
      this.hanging.add(key);
      this.goOn();
    }, this.withinMs / 2);
    late.unref();
    const status = read(path)
      .catch(() => undefined)
      .finally(() => {
        clearTimeout(late);
        this.underWay.delete(key);
        this.hanging.delete(key);
        this.goOn();
      });
    this.underWay.set(key, status);
    return status;
  }

  /** True if a program gets an answer about the path, also that there is nothing. */
  private async answersProgram(path: string | Buffer, read: typeof stat, end: AbortSignal): Promise<boolean> {
    // Windows has no such program, and the arguments of one are UTF-8.
    if (process.platform === 'win32' || !isUtf8(Buffer.from(path))) return false;
    this.programs += 1;
    const program = spawn('ls', [read === stat ? '-dL' : '-d', '--', path.toString()], {
      stdio: 'ignore',
      signal: end,
      killSignal: 'SIGKILL',
    });
    const answers = await new Promise<boolean>((resolve) => {
      program.once('exit', (code) => resolve(code !== null));
      // It cannot be started, or is being ended.
      program.once('error', () => resolve(false));
    });
    this.programs -= 1;
    this.goOn();
    return answers;
  }

  private goOn(): void {
    for (const next of this.waiting) next();
  }

  /** True while the place or a folder above it is being looked at: a file system that does not answer keeps one thread, not all of them. */
  private isWithinAnother(place: string): boolean {
    return [...this.underWay.keys()].some((key) => place.startsWith(key.slice(key.indexOf(' ') + 1)));
  }

  /** Resolves when a look has ended, or the signal fires. */
  private async nextEnd(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const end = (): void => {
        this.waiting.delete(end);
        signal.removeEventListener('abort', end);
        resolve();
      };
      this.waiting.add(end);
      signal.addEventListener('abort', end);
    });
  }
}

/** A path as text that begins with that of each folder above it. Names are bytes, which need not be UTF-8. */
function placeOf(path: string | Buffer): string {
  return Buffer.from(path).toString('hex') + Buffer.from(sep).toString('hex');
}

/** Those of this process, whose threads all calls share. */
export const FIRST_LOOKS = new FirstLooks();
