import { lstat, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, isMissing, messageOf } from '../failures.js';

type Step = () => Promise<unknown>;

/** The steps that take back what was done so far. */
export class Undo {
  private readonly steps: { readonly what: string; readonly step: Step }[] = [];

  /** Adds a step. `what` names the remains if it fails, such as `The unit x could not be removed`. */
  add(what: string, step: Step): void {
    this.steps.push({ what, step });
  }

  /** Takes everything back, the last first, also after a step that fails. Returns a sentence for each step that failed. */
  async run(): Promise<string[]> {
    const failures: string[] = [];
    for (const { what, step } of this.steps.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        failures.push(`${what}: ${messageOf(error)}`);
      }
    }
    return failures;
  }
}

/** The folders of a path that are missing, the outermost first: those that `mkdir` would make with it. */
export async function missingFolders(path: string): Promise<string[]> {
  const missing: string[] = [];
  for (let folder = path; await isAbsent(folder); folder = dirname(folder)) missing.unshift(folder);
  return missing;
}

/** Removes folders, the last first, unless something is in them. */
export async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of folders.toReversed()) {
    await rmdir(folder).catch((error: unknown) => {
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(error) ?? '')) throw error;
    });
  }
}

async function isAbsent(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return false;
  } catch (error) {
    // With a file on the way nothing is absent: making the folder will fail, and say so.
    if (isMissing(error)) return codeOf(error) === 'ENOENT';
    throw error;
  }
}
