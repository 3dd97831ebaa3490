import { invalidField } from '../../platform/common/errors/errors.js';
import type { ExternalSignInErrorCode } from './external-provider.js';

/** Longest path that people are led back to, in characters. */
export const MAXIMUM_RETURN_PATH_LENGTH = 500;

/** Stands for the own address while a path is looked at; no address of the web ends like that. */
const HERE = new URL('http://here.invalid');

/** A path of this service as a browser will understand it; null for everything that leads elsewhere. */
export function localPath(text: string): string | null {
  // Browsers take `\` for `/` and leave tabs and line breaks out.
  if (!text.startsWith('/') || /[\\\p{Cc}]/u.test(text) || !URL.canParse(text, HERE.href)) return null;
  const { origin, pathname, search, hash } = new URL(text, HERE);
  const path = `${pathname}${search}${hash}`;
  // Two slashes begin the name of another host; `/.//host` becomes that only now.
  return origin === HERE.origin && !path.startsWith('//') && path.length <= MAXIMUM_RETURN_PATH_LENGTH ? path : null;
}

/** A path with the reason of a failed sign-in, for the page there to show. */
export function pathWithError(path: string, code: ExternalSignInErrorCode, provider: string): string {
  const url = new URL(path, HERE);
  url.searchParams.set('externalError', code);
  url.searchParams.set('provider', provider);
  return `${url.pathname}${url.search}${url.hash}`;
}

/** A path of this service that a request names; 400 for everything that leads elsewhere. */
export function requireLocalPath(text: string): string {
  const path = localPath(text);
  if (path === null) throw invalidField('returnPath', 'returnPath must be a path of this service, such as /devices.');
  return path;
}
