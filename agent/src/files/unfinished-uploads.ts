import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { isMissing } from '../failures.js';
import type { Log } from '../logs/log.js';
import { FIRST_LOOKS } from './first-looks.js';

/** Name of a record, and part of the name of the temporary file that it stands for. */
const ID = /^[0-9a-f]{16}$/;

/**
 * The temporary files of uploads. They are next to the targets, anywhere on the machine, so each has a record in the data folder until
 * it is gone: an agent that was killed leaves no file that the next one does not find.
 */
export class UnfinishedUploads {
  constructor(private readonly records: string) {}

  /** Runs the work with the path of a new temporary file in the directory, and removes the rest of that file afterwards. */
  async during(directory: string, work: (temporary: string) => Promise<void>): Promise<void> {
    const id = randomBytes(8).toString('hex');
    const record = join(this.records, id);
    await mkdir(this.records, { recursive: true, mode: 0o700 });
    await writeFile(record, directory, { flag: 'wx', mode: 0o600 });
    try {
      await work(temporaryFile(directory, id));
    } finally {
      await rm(temporaryFile(directory, id), { force: true });
      await rm(record, { force: true });
    }
  }

  /** Removes the files that an earlier agent has left. Call it only while no upload is under way. */
  async clear(log: Log): Promise<void> {
    await Promise.all((await this.recorded()).map(async (id) => this.removeRest(id, log)));
  }

  private async removeRest(id: string, log: Log): Promise<void> {
    const record = join(this.records, id);
    try {
      const directory = await readFile(record, 'utf8');
      // The record of an agent that was killed while it wrote it is empty. There is no file then.
      if (isAbsolute(directory)) {
        // The agent must start also where it was ended because of this file system.
        await FIRST_LOOKS.statusAt(directory);
        await rm(temporaryFile(directory, id), { force: true });
      }
      await rm(record);
    } catch (error) {
      log.error('A file that an interrupted upload left behind could not be removed.', error);
    }
  }

  private async recorded(): Promise<string[]> {
    try {
      return (await readdir(this.records)).filter((name) => ID.test(name));
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }
}

function temporaryFile(directory: string, id: string): string {
  return join(directory, `.upload-${id}.partial`);
}
