import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';

import { progressQuery } from './queries.js';

/** Leads users who come to an empty tenant to the first steps, once. After that, renders `children`. */
export function FirstVisit({ children }: { readonly children: ReactNode }): ReactNode {
  const { data: progress, isPending } = useQuery(progressQuery);
  const navigate = useNavigate();
  const isFirst = progress === null;
  useEffect(() => {
    if (isFirst) void navigate({ to: '/welcome', replace: true });
  }, [isFirst, navigate]);
  return isPending || isFirst ? null : children;
}
