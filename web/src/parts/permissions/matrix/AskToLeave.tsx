import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { Confirm } from '../../../ui/confirm/Confirm.js';
import { t } from '../texts.js';

/** Asks before the page is left while changes are not saved. Other search parameters of the same page leave nothing. */
export function AskToLeave({ count }: { readonly count: number }): ReactNode {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => count > 0 && current.pathname !== next.pathname,
    enableBeforeUnload: () => count > 0,
    withResolver: true,
  });
  return (
    <Confirm
      open={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title={t('leave-title')}
      action={t('leave')}
      look="danger"
      onConfirm={() => blocker.proceed?.()}
    >
      {t('changes', { count })}
    </Confirm>
  );
}
