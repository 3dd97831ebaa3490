import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { useSession } from '../../access/session.js';
import { Banner, type BannerLook } from '../../ui/banner/Banner.js';
import { IconButton } from '../../ui/button/Button.js';
import css from './Shell.module.css';
import { t } from './texts.js';

const LOOKS: Readonly<Record<string, BannerLook>> = { Information: 'info', Success: 'ok', Warning: 'warn', Error: 'bad' };

/** What the administrators of the server have to say to everybody. One that was dismissed stays away until it changes. */
export function Alert(): ReactNode {
  const { alert } = useSession();
  const [dismissed, setDismissed] = useState(() => localStorage.getItem('dismissed-alert'));
  if (alert === null || alert.message === null) return null;
  const key = `${alert.id ?? ''} ${alert.message}`;
  if (alert.isDismissable && dismissed === key) return null;
  const dismiss = (): void => {
    setDismissed(key);
    // A sticky alert returns with the next visit.
    if (!alert.isSticky) localStorage.setItem('dismissed-alert', key);
  };
  return (
    <div className={css.alert}>
      <Banner
        look={LOOKS[alert.severity] ?? 'info'}
        actions={alert.isDismissable ? <IconButton icon={X} label={t('dismiss')} onClick={dismiss} /> : undefined}
      >
        {alert.message}
      </Banner>
    </div>
  );
}
