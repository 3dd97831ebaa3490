import { useNavigate } from '@tanstack/react-router';
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

/** The changes by a principal, and the changes to it. */
export function ActivityOf({ log, id, entry, onEntry }: ActivityOfProps): ReactNode {
  const navigate = useNavigate();
  return (
    <ChangeLogEntries
      log={log}
      search={{ about: id, entry }}
      onEntry={(opened) => onEntry({ entry: opened })}
      onFilter={(search) => void navigate({ to: log === 'server' ? '/server/change-log' : '/change-log', search })}
    />
  );
}
