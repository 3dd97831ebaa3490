import type { Schemas } from './schemas.js';

/** Display name of a user: the chosen name, else the one for signing in. */
export const nameOf = ({ displayName, userName, id }: Pick<Schemas['UserResponseDto'], 'displayName' | 'userName' | 'id'>): string =>
  [displayName, userName].find((name) => name !== null && name !== '') ?? id;
