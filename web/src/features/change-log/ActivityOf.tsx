import type { ReactNode } from 'react';

import { ChangeLogEntries } from './ChangeLogEntries.js';

interface ActivityOfProps {
  readonly log: 'tenant' | 'server';
  /** The id of a user, a user group or a service account. */
  readonly id: string;
  /** The entry whose details are open. */
  readonly entry: string | undefined;
  readonly onEntry: (search: { readonly entry?: string }) => void;
}

/** Change log entries of one principal: their own changes, and changes to them. */
export function ActivityOf({ log, id, entry, onEntry }: ActivityOfProps): ReactNode {
  return <ChangeLogEntries log={log} search={{ text: id, entry }} isGiven onSearch={(search) => onEntry({ entry: search.entry })} />;
}
