/** The version of the routes under `/api/v1`. A request may state it as `api-version` in its query. */
export const API_VERSION = '1.0';
/** The query parameter that states the version. */
export const API_VERSION_PARAMETER = 'api-version';

const SPELLINGS: readonly unknown[] = [API_VERSION, '1'];
const VERSIONED_ROOT = '/api/v1/';

/** Checks whether routes under this path have a version. */
export function isVersioned(path: string): boolean {
  return path.startsWith(VERSIONED_ROOT);
}

/** Checks whether the stated version is supported. A missing one (undefined) is. */
export function isSupportedVersion(stated: unknown): boolean {
  return stated === undefined || SPELLINGS.includes(stated);
}
