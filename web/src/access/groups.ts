import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { membershipsQuery } from '../api/people/memberships.js';
import { useCan } from './can.js';

/** The names of the groups of every user. */
export interface GroupNames {
  /** Undefined until they are read. */
  readonly byUser: ReadonlyMap<string, readonly string[]> | undefined;
  /** The caller may not read groups, so that none are known. */
  readonly isHidden: boolean;
  readonly error: Error | null;
}

/** The first names of the groups that each user is in, and "+2" for the rest. */
export function useGroupNames(): GroupNames {
  const mayRead = useCan('tenant.user-groups.read');
  const { data, error } = useQuery({ ...membershipsQuery, enabled: mayRead });
  const byUser = useMemo(
    () =>
      data &&
      new Map(
        data.map(({ userId, groupCount, groupNames }) => {
          const names = groupNames ?? [];
          return [userId, groupCount > names.length ? [...names, `+${groupCount - names.length}`] : names] as const;
        }),
      ),
    [data],
  );
  return { byUser, isHidden: !mayRead, error };
}
