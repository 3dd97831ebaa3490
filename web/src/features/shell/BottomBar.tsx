import { Link, useLocation } from '@tanstack/react-router';
import { Menu, Monitor, PackagePlus, Search } from 'lucide';
import { type ReactNode, useEffect, useState } from 'react';

import { useCan } from '../../access/can.js';
import { Dialog } from '../../ui/dialog/Dialog.js';
import { Icon } from '../../ui/icon/Icon.js';
import { palette } from '../palette/palette.js';
import css from './BottomBar.module.css';
import { t as later } from './later-texts.js';
import { Navigation } from './Navigation.js';
import { t } from './texts.js';

/** What a phone has instead of the navigation: the pages used most, and all others behind "More". */
export function BottomBar(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { href } = useLocation();
  useEffect(() => setOpen(false), [href]);
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
      {useCan('agent.install') && (
        <Link to="/deploy" className={css.entry}>
          <Icon of={PackagePlus} size={20} />
          {t('deploy')}
        </Link>
      )}
      <button type="button" className={css.entry} onClick={() => setOpen(true)}>
        <Icon of={Menu} size={20} />
        {later('more')}
      </button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={t('navigation')}>
        <Navigation />
      </Dialog>
    </nav>
  );
}
