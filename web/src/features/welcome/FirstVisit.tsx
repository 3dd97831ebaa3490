import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';

import { keepProgress, progressQuery } from './queries.js';
import { AT_THE_START } from './steps.js';

/** Leads whoever comes to an empty tenant to the first steps, once. After that, `children` stand here. */
export function FirstVisit({ children }: { readonly children: ReactNode }): ReactNode {
  const { data: progress, isPending } = useQuery(progressQuery);
  const navigate = useNavigate();
  const isFirst = progress === null;
  useEffect(() => {
    if (!isFirst) return;
    void navigate({ to: '/welcome', replace: true });
    void keepProgress(AT_THE_START);
  }, [isFirst, navigate]);
  return isPending || isFirst ? null : children;
}
