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

const PARTS = ['action', 'target', 'actor', 'about', 'permission', 'reference', 'text', 'from', 'to', 'entry'] as const;

/** The parts as texts. The page leaves out what they cannot mean, with more code than belongs to a route. */
export const readChangeLogAddress = (search: Record<string, unknown>): ChangeLogAddress =>
  Object.fromEntries(PARTS.map((name) => [name, oneOf(search[name])]));
