import { type ReactNode, useEffect } from 'react';

import { useSession } from '../../access/session.js';
import { useListedSessions } from '../../live/sessions/sessions.js';
import { isPhone, useMedia } from '../../ui/media.js';
import css from './Dock.module.css';
import { SessionList } from './SessionList.js';
import { t } from './texts.js';

/** Sessions beside the pages, with a way back to them. On a phone they stand behind an entry of the bar instead: see SessionsDialog. */
export function Dock(): ReactNode {
  const { deviceId, user, features } = useSession();
  useRestored(user.id, features.publicUrl);
  const sessions = useListedSessions();
  const hasBottomBar = useMedia(isPhone) && deviceId === null;
  if (sessions.length === 0 || hasBottomBar) return null;
  return (
    <aside className={css.dock} aria-label={t('dock')} data-region>
      <SessionList sessions={sessions} />
    </aside>
  );
}

/** Brings back the terminals, screens and desktops that the tab had before it was reloaded, on any page. */
function useRestored(userId: string, publicUrl: string): void {
  useEffect(() => {
    // Nothing is loaded where there is nothing to bring back.
    if (sessionStorage.getItem('terminals') !== null)
      void import('../../live/sessions/terminal/terminals.js').then(({ restoreTerminals }) => restoreTerminals(userId));
    if (sessionStorage.getItem('screens') !== null)
      void import('../../live/sessions/screen/screens.js').then(({ restoreScreens }) => restoreScreens(userId, publicUrl));
    if (sessionStorage.getItem('desktops') !== null)
      void import('../../live/sessions/desktop/desktops.js').then(({ restoreDesktops }) => restoreDesktops(userId, publicUrl));
  }, [userId, publicUrl]);
}
