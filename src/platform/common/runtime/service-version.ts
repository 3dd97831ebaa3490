import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { hasCode } from '../errors/system-error.js';

/** The version of this service from its package.json, read once. */
export const SERVICE_VERSION = versionOf(dirname(fileURLToPath(import.meta.url)));

/** Searches parent folders for package.json, because sources and compiled files lie at different depths. */
function versionOf(directory: string): string {
  for (let at = directory; ; at = dirname(at)) {
    const found = readPackage(join(at, 'package.json'));
    if (found !== null) return found;
    if (at === dirname(at)) throw new Error(`No package.json with a version lies above ${directory}.`);
  }
}

function readPackage(path: string): string | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
  const parsed: unknown = JSON.parse(text);
  return typeof parsed === 'object' && parsed !== null && 'version' in parsed && typeof parsed.version === 'string' ? parsed.version : null;
}
