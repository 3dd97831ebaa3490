import { type ReactNode, useEffect } from 'react';

import { useSession } from '../../access/session.js';
import { useSessions } from '../../live/sessions/sessions.js';
import { isPhone, useMedia } from '../../ui/media.js';
import css from './Dock.module.css';
import { SessionList } from './SessionList.js';
import { t } from './texts.js';

/** Sessions beside the pages, with a way back to them. On a phone they stand behind an entry of the bar instead: see SessionsDialog. */
export function Dock(): ReactNode {
  const { deviceId, user } = useSession();
  useRestoredTerminals(user.id);
  const sessions = useSessions();
  const hasBottomBar = useMedia(isPhone) && deviceId === null;
  if (sessions.length === 0 || hasBottomBar) return null;
  return (
    <aside className={css.dock} aria-label={t('dock')} data-region>
      <SessionList sessions={sessions} />
    </aside>
  );
}

/** Brings back the terminals that the tab had before it was reloaded, on any page. */
function useRestoredTerminals(userId: string): void {
  useEffect(() => {
    // Nothing is loaded where there is nothing to bring back.
    if (sessionStorage.getItem('terminals') === null) return;
    void import('../../live/sessions/terminal/terminals.js').then(({ restoreTerminals }) => restoreTerminals(userId));
  }, [userId]);
}
