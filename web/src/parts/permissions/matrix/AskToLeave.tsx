import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';

import { Confirm } from '../../../ui/confirm/Confirm.js';
import { t } from '../texts.js';

/** Asks before the page is left while changes are not saved. Other search parameters of the same page leave nothing. */
export function AskToLeave({ count }: { readonly count: number }): ReactNode {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => count > 0 && current.pathname !== next.pathname,
    enableBeforeUnload: () => count > 0,
    withResolver: true,
  });
  const { status, proceed } = blocker;
  useEffect(() => {
    // A save that was under way has left nothing to ask about.
    if (count === 0 && status === 'blocked') proceed();
  }, [count, status, proceed]);
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
