import type { IncomingMessage } from 'node:http';

/** The authentication schemes, in the order in which they are tried. */
export enum Scheme {
  LogonToken = 'logon-token',
  Bearer = 'bearer',
  PersonalAccessToken = 'personal-access-token',
  ApiKey = 'api-key',
  Session = 'session',
}

/** The path on which a logon token in the query counts as a credential. */
export const DEVICE_ACCESS_PATH = '/device-access';

/**
 * The scheme of a request: the first one whose credential the request carries. A wrong credential is refused; other
 * schemes are not tried.
 */
export function selectScheme(request: IncomingMessage, options: { readonly isBearerEnabled: boolean }): Scheme {
  const { headers, url = '' } = request;
  if (url.startsWith(DEVICE_ACCESS_PATH) && namesLogonToken(url)) return Scheme.LogonToken;
  if (options.isBearerEnabled && /^bearer /i.test(headers.authorization ?? '')) return Scheme.Bearer;
  if (headers['x-personal-token'] !== undefined) return Scheme.PersonalAccessToken;
  if (headers['x-api-key'] !== undefined) return Scheme.ApiKey;
  return Scheme.Session;
}

/** Checks whether the query of a request has a logon token, whatever its value. */
export function namesLogonToken(url: string): boolean {
  const query = url.indexOf('?');
  if (query === -1) return false;
  for (const name of new URLSearchParams(url.slice(query + 1)).keys()) if (name.toLowerCase() === 'logontoken') return true;
  return false;
}
