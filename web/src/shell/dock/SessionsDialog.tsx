import type { ReactNode } from 'react';

import { useListedSessions } from '../../live/sessions/sessions.js';
import { Dialog } from '../../ui/dialog/Dialog.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { SessionList } from './SessionList.js';
import css from './SessionsDialog.module.css';
import { t } from './texts.js';

/** Sessions beside the pages, for a phone, which has no room for the dock. */
export function SessionsDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }): ReactNode {
  const sessions = useListedSessions();
  return (
    <Dialog open={open} onClose={onClose} title={t('dock')}>
      {sessions.length === 0 ? (
        <EmptyState title={t('empty')}>{t('empty-text')}</EmptyState>
      ) : (
        <div className={css.list}>
          <SessionList sessions={sessions} onFollow={onClose} />
        </div>
      )}
    </Dialog>
  );
}
