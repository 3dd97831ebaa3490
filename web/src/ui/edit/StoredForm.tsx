import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';

import { isGone } from '../../problem/problem.js';
import { SkeletonList } from '../skeleton/Skeleton.js';
import { ErrorState } from '../states/ErrorState.js';
import { EditForm, type EditFormProps } from './EditForm.js';
import { savesEnded } from './saves-under-way.js';

/** A form that changes one thing. It reads the thing first, so that it starts from the stored state: lists may not show that yet. */
export function StoredForm<Name extends string>(props: Omit<EditFormProps<Name>, 'start'>): ReactNode {
  const [isSaved] = useState(savesEnded);
  const stored = useQuery({
    // Each form reads for itself, and keeps the state that it has read.
    queryKey: ['edited', useId()],
    queryFn: () => isSaved.then(props.of.read),
    staleTime: Infinity,
    gcTime: 0,
  });
  if (stored.data !== undefined) return <EditForm {...props} start={stored.data} />;
  if (stored.isPending) return <SkeletonList rows={3} columns={[1]} />;
  return <ErrorState error={stored.error} onRetry={isGone(stored.error) ? undefined : () => void stored.refetch()} />;
}
