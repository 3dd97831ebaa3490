/** Choice in the address of the page: the id of an installer key, whose secret is never in it, and a platform. */
export interface DeployChoice {
  readonly key?: string;
  readonly os?: string;
}

/** Ids of installer keys, as forms and addresses take them. */
export const KEY_ID_PATTERN = '[0-9a-fA-F\\-]{36}';

const KEY_ID = new RegExp(`^${KEY_ID_PATTERN}$`);

/** The id of the key that an address names; undefined for another text. */
export const keyIdOf = ({ key }: DeployChoice): string | undefined => (key !== undefined && KEY_ID.test(key) ? key : undefined);
