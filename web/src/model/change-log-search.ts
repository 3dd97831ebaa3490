import { oneOf } from './search-params.js';

/** Search of the change log in its address. */
export interface ChangeLogAddress {
  readonly action?: string;
  readonly target?: string;
  readonly actor?: string;
  readonly text?: string;
  /** Instants in ISO 8601. */
  readonly from?: string;
  readonly to?: string;
  /** The entry whose details are open. */
  readonly entry?: string;
}

export const readChangeLogAddress = (search: Record<string, unknown>): ChangeLogAddress => ({
  action: oneOf(search.action),
  target: oneOf(search.target),
  actor: oneOf(search.actor),
  text: oneOf(search.text),
  from: instantOf(search.from),
  to: instantOf(search.to),
  entry: oneOf(search.entry),
});

/** True if the address narrows the log down. */
export const isFiltered = ({ action, target, actor, text, from, to }: ChangeLogAddress): boolean =>
  [action, target, actor, text, from, to].some((value) => value !== undefined);

function instantOf(value: unknown): string | undefined {
  const text = oneOf(value);
  return text === undefined || Number.isNaN(Date.parse(text)) ? undefined : text;
}
