import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { newGuid } from '../../platform/common/identifiers/guid.js';

/** Most messages that are kept; the oldest are deleted first. */
export const MAXIMUM_KEPT_MESSAGES = 100;
const EXTENSION = '.eml';

/** Keeps messages as files that mail programs can open, while no mail server is configured. They may contain sign-in links. */
export class MailFolder {
  constructor(readonly path: string) {}

  /** Writes a message, removes the oldest ones beyond the limit, and returns the path of the file. */
  async write(message: Buffer, at: Date): Promise<string> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    const file = join(this.path, `${at.toISOString().replaceAll(/[:.]/g, '-')}-${newGuid()}${EXTENSION}`);
    await writeFile(file, message, { flag: 'wx', mode: 0o600 });
    await this.removeOldest();
    return file;
  }

  private async removeOldest(): Promise<void> {
    // Names begin with the time, so that they sort by age.
    const names = (await readdir(this.path)).filter((name) => name.endsWith(EXTENSION)).sort();
    for (const name of names.slice(0, -MAXIMUM_KEPT_MESSAGES)) await rm(join(this.path, name), { force: true });
  }
}
