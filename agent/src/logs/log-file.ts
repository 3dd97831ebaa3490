import { appendFile, mkdir, readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, messageOf } from '../failures.js';
import type { Log } from './log.js';

/** Names of log files, as viewers list them. */
export const LOG_FILE_NAME = /^LogFile.*\.log$/;

export interface LogFileOptions {
  /** Size at which the log continues in a new file. */
  readonly maxFileBytes?: number;
  /** The oldest files beyond this number are deleted. */
  readonly maxFiles?: number;
  readonly now?: () => Date;
  /** Called when the disk refuses a line: logging must never stop the agent. */
  readonly onFault?: (error: unknown) => void;
}

const DEFAULT_MAX_FILE_BYTES = 5 * 1024 * 1024;
const DEFAULT_MAX_FILES = 10;
/** Length of a name up to the number of the file. */
const DAY_END = 'LogFile20260304'.length;
/** Line ends in a message, which may come from a viewer, and how the log shows them: only lines of the agent begin at the margin. */
const LINE_END = /(?:\r\n|[\r\n]) */g;
const FURTHER_LINE = '\n    ';
/** Most lines that wait for the disk. Further lines are dropped and counted. */
const MAX_WAITING_LINES = 10_000;

/** Writes lines to `LogFile<date>[_<number>].log`, a new file each day and at each size limit. Lines keep their order. */
export class LogFile implements Log {
  private waiting: string[] = [];
  private dropped = 0;
  private writing: Promise<void> | undefined;
  private current: { path: string; day: string; bytes: number } | undefined;

  constructor(
    private readonly folder: string,
    private readonly options: LogFileOptions = {},
  ) {}

  info(message: string): void {
    this.write('INF', message);
  }

  warn(message: string): void {
    this.write('WRN', message);
  }

  error(message: string, cause: unknown): void {
    this.write('ERR', `${message} ${cause instanceof Error && cause.stack !== undefined ? cause.stack : messageOf(cause)}`);
  }

  /** Resolves when everything logged so far is in the file. */
  async flush(): Promise<void> {
    while (this.writing !== undefined) await this.writing;
  }

  private write(level: string, message: string): void {
    if (this.waiting.length >= MAX_WAITING_LINES) {
      this.dropped++;
      return;
    }
    this.waiting.push(`${this.now().toISOString()} [${level}] ${message.replaceAll(LINE_END, FURTHER_LINE)}\n`);
    this.writing ??= this.drain();
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      const lines = this.waiting;
      this.waiting = [];
      if (this.dropped > 0) lines.push(`${this.now().toISOString()} [WRN] ${this.dropped} lines were dropped: the disk was too slow.\n`);
      this.dropped = 0;
      try {
        await this.append(lines.join(''));
      } catch (error) {
        this.current = undefined;
        this.options.onFault?.(error);
      }
    }
    this.writing = undefined;
  }

  private async append(text: string): Promise<void> {
    const file = await this.fileForNow();
    await appendFile(file.path, text, { mode: 0o600 });
    file.bytes += Buffer.byteLength(text);
  }

  private async fileForNow(): Promise<{ path: string; day: string; bytes: number }> {
    const day = this.now().toISOString().slice(0, 10).replaceAll('-', '');
    const limit = this.options.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES;
    if (this.current !== undefined && this.current.day === day && this.current.bytes < limit) return this.current;
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    // After the last one of the day. Numbers of deleted files are not used again.
    for (let number = await this.lastNumberOf(day); ; number++) {
      const suffix = number === 0 ? '' : `_${String(number).padStart(3, '0')}`;
      const path = join(this.folder, `LogFile${day}${suffix}.log`);
      const bytes = await sizeOrZero(path);
      if (bytes >= limit) continue;
      this.current = { path, day, bytes };
      await this.deleteOldest();
      return this.current;
    }
  }

  private async lastNumberOf(day: string): Promise<number> {
    const file = new RegExp(`^LogFile${day}_(\\d{3,})\\.log$`);
    return Math.max(0, ...(await readdir(this.folder)).flatMap((name) => Number(file.exec(name)?.[1] ?? 0)));
  }

  private async deleteOldest(): Promise<void> {
    const names = (await readdir(this.folder)).filter((name) => LOG_FILE_NAME.test(name)).sort(byAge);
    // The file about to be written may not exist yet, and counts.
    const others = names.filter((name) => join(this.folder, name) !== this.current?.path);
    const excess = others.length + 1 - (this.options.maxFiles ?? DEFAULT_MAX_FILES);
    for (const name of others.slice(0, Math.max(0, excess))) await unlink(join(this.folder, name));
  }

  private now(): Date {
    return this.options.now?.() ?? new Date();
  }
}

/** Sorts names of log files by day, and those of a day by number. */
function byAge(one: string, other: string): number {
  const [day, otherDay] = [one, other].map((name) => name.slice(0, DAY_END));
  if (day !== otherDay) return day < otherDay ? -1 : 1;
  return one.length - other.length || (one < other ? -1 : 1);
}

async function sizeOrZero(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}
