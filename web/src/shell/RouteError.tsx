import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { queryClient } from '../api/queries.js';
import { Page } from '../ui/page/Page.js';
import { ErrorState } from '../ui/states/ErrorState.js';
import { t } from '../ui/texts.js';

/** Stands where a page failed to load. */
export function RouteError({ error, reset }: ErrorComponentProps): ReactNode {
  const router = useRouter();
  const retry = (): void => {
    reset();
    void queryClient.resetQueries({ predicate: ({ state }) => state.status === 'error' });
    void router.invalidate();
  };
  return (
    <Page title={t('error-title')}>
      <ErrorState error={error} onRetry={retry} />
    </Page>
  );
}
