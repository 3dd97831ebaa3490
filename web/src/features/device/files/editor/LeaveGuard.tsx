import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { Confirm } from '../../../../ui/confirm/Confirm.js';
import { t } from './texts.js';

/** Asks before the file is left while changes are not saved: by a link of the page, and by the browser. */
export function LeaveGuard({ name, isChanged }: { readonly name: string; readonly isChanged: boolean }): ReactNode {
  const blocker = useBlocker({ shouldBlockFn: () => isChanged, enableBeforeUnload: () => isChanged, withResolver: true });
  return (
    <Confirm
      open={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title={t('leave-title', { name })}
      action={t('leave')}
      look="danger"
      onConfirm={() => blocker.proceed?.()}
    >
      {t('leave-text')}
    </Confirm>
  );
}
