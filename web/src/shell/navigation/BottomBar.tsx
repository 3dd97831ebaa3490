import { Link, useLocation } from '@tanstack/react-router';
import { Menu, Monitor, MonitorPlay, Search } from 'lucide';
import { type ReactNode, useEffect, useState } from 'react';

import { formatNumber } from '../../i18n/format.js';
import { useListedSessions } from '../../live/sessions/sessions.js';
import { Dialog } from '../../ui/dialog/Dialog.js';
import { Icon } from '../../ui/icon/Icon.js';
import { SessionsDialog } from '../dock/SessionsDialog.js';
import { palette } from '../palette/palette.js';
import css from './BottomBar.module.css';
import { t as later } from '../later-texts.js';
import { Navigation } from './Navigation.js';
import { t } from '../texts.js';

/** Bar of a phone in place of the navigation and the dock: the ways used most, and all others behind "More". */
export function BottomBar(): ReactNode {
  const [opened, setOpened] = useState<'sessions' | 'more' | null>(null);
  const close = (): void => setOpened(null);
  const sessions = useListedSessions();
  const running = sessions.length;
  const unread = sessions.reduce((sum, session) => sum + (session.unread ?? 0), 0);
  const { href } = useLocation();
  useEffect(close, [href]);
  return (
    <nav className={css.bar} aria-label={later('most-used')} data-region>
      <Link to="/devices" className={css.entry}>
        <Icon of={Monitor} size={20} />
        {t('devices')}
      </Link>
      <button type="button" className={css.entry} onClick={palette.open}>
        <Icon of={Search} size={20} />
        {later('search')}
      </button>
      <button type="button" className={css.entry} onClick={() => setOpened('sessions')}>
        <Icon of={MonitorPlay} size={20} />
        {later('sessions')}
        {running > 0 && <span className={css.count}>{formatNumber(running)}</span>}
        {unread > 0 && <span className={css.unread}>{later('unread', { count: unread })}</span>}
      </button>
      <button type="button" className={css.entry} onClick={() => setOpened('more')}>
        <Icon of={Menu} size={20} />
        {later('more')}
      </button>
      <SessionsDialog open={opened === 'sessions'} onClose={close} />
      <Dialog open={opened === 'more'} onClose={close} title={t('navigation')}>
        <Navigation />
      </Dialog>
    </nav>
  );
}
