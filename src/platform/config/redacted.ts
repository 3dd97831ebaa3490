import { OPTIONS } from './options.js';
import type { Settings } from './settings.js';

const STARS = '***';

/** Names of properties that hold secrets: secret options, and values derived from them. */
const SECRET_NAMES = new Set([
  'password',
  'secret',
  'tokenSecret',
  'pem',
  ...Object.values(OPTIONS).flatMap((group) =>
    Object.entries(group).flatMap(([name, { secret }]: [string, { readonly secret: boolean }]) => (secret ? [name] : [])),
  ),
]);

/** A copy of the settings with stars in place of secrets, for logs. */
export function redacted(settings: Settings): unknown {
  return JSON.parse(JSON.stringify(settings, (name, value: unknown) => (SECRET_NAMES.has(name) && isText(value) ? STARS : value)));
}

/** True for a text, or several. */
function isText(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isText) : typeof value === 'string' && value !== '';
}
