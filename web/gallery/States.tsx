import { Plus } from 'lucide';
import type { ReactNode } from 'react';

import { ProblemError } from '../src/problem/problem.js';
import { Button } from '../src/ui/button/Button.js';
import { Skeleton, SkeletonList } from '../src/ui/skeleton/Skeleton.js';
import { EmptyFiltered } from '../src/ui/states/EmptyFiltered.js';
import { EmptyState } from '../src/ui/states/EmptyState.js';
import { ErrorState } from '../src/ui/states/ErrorState.js';
import { NotFound } from '../src/ui/states/NotFound.js';
import { LONG_NAME, Sample } from './Sample.js';

const retry = (): void => undefined;

export function States(): ReactNode {
  return (
    <>
      <Sample title="Loading">
        <Skeleton width={180} height={24} />
        <SkeletonList rows={5} />
      </Sample>
      <Sample title="Empty at first">
        <EmptyState
          title="No installer keys yet"
          actions={
            <Button look="primary" icon={Plus}>
              Create key
            </Button>
          }
        >
          A key lets new devices register themselves.
        </EmptyState>
      </Sample>
      <Sample title="Empty by its filters">
        <EmptyFiltered total={1_000_000} onClear={retry} />
      </Sample>
      <Sample title="Empty by its filters, one without them">
        <EmptyFiltered total={1} onClear={retry} />
      </Sample>
      <Sample title="Error of the service">
        <ErrorState error={new ProblemError(500, { traceId: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' })} onRetry={retry} />
      </Sample>
      <Sample title="Too many requests">
        <ErrorState error={new ProblemError(429, { title: 'Too many requests.' }, null, 30)} onRetry={retry} />
      </Sample>
      <Sample title="Offline">
        <ErrorState error={new TypeError('Failed to fetch')} onRetry={retry} />
      </Sample>
      <Sample title="Device offline">
        <ErrorState error={new ProblemError(409, { detail: `${LONG_NAME} is offline.` })} onRetry={retry} />
      </Sample>
      <Sample title="Forbidden">
        <ErrorState
          error={new ProblemError(403, { detail: 'You may not use terminals of this device.' }, 'device.terminal.use')}
          onRetry={retry}
        />
      </Sample>
      <Sample title="Gone">
        <ErrorState error={new ProblemError(404, {})} />
      </Sample>
      <Sample title="No such page">
        <NotFound />
      </Sample>
    </>
  );
}
