import { oneOf } from './search-params.js';

/** Search of the change log in its address. */
export interface ChangeLogAddress {
  readonly action?: string;
  readonly target?: string;
  /** Id of the user or service account that acted. */
  readonly actor?: string;
  /** Id of a person or object that entries concern. */
  readonly about?: string;
  readonly permission?: string;
  readonly reference?: string;
  readonly text?: string;
  /** Instants in ISO 8601. */
  readonly from?: string;
  readonly to?: string;
  /** The entry whose details are open. */
  readonly entry?: string;
}

const FILTERS = ['action', 'target', 'actor', 'about', 'permission', 'reference', 'text', 'from', 'to'] as const;
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const readChangeLogAddress = (search: Record<string, unknown>): ChangeLogAddress => ({
  action: oneOf(search.action),
  target: oneOf(search.target),
  actor: idOf(search.actor),
  about: idOf(search.about),
  permission: oneOf(search.permission),
  reference: oneOf(search.reference),
  text: oneOf(search.text),
  from: instantOf(search.from),
  to: instantOf(search.to),
  entry: idOf(search.entry),
});

/** True if the address narrows the log down. */
export const isFiltered = (search: ChangeLogAddress): boolean => FILTERS.some((name) => search[name] !== undefined);

function idOf(value: unknown): string | undefined {
  const text = oneOf(value);
  return text !== undefined && GUID.test(text) ? text : undefined;
}

function instantOf(value: unknown): string | undefined {
  const text = oneOf(value);
  return text === undefined || Number.isNaN(Date.parse(text)) ? undefined : text;
}
