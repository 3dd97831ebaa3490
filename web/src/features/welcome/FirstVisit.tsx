import { useQuery } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';

import { progressQuery } from './queries.js';

/** Leads users who come to an empty tenant to the first steps, once. After that, renders `children`. */
export function FirstVisit({ children }: { readonly children: ReactNode }): ReactNode {
  const { data: progress, isPending } = useQuery(progressQuery);
  const router = useRouter();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const isFirst = progress === null;
  useEffect(() => {
    // Users who have clicked a link since go there: the list stays on the screen until that page's code has come.
    const isHere = router.latestLocation.pathname === '/devices';
    if (isFirst && isHere) void router.navigate({ to: '/welcome', replace: true });
  }, [isFirst, path, router]);
  return isPending || isFirst ? null : children;
}
