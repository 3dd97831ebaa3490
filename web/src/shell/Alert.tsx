import { X } from 'lucide';
import { type ReactNode, useState } from 'react';

import { textForUser } from '../state/user-data.js';
import { valueForUser } from '../state/read-user-data.js';
import { useSession } from '../access/session.js';
import { Banner, type BannerLook } from '../ui/banner/Banner.js';
import { IconButton } from '../ui/button/Button.js';
import css from './Shell.module.css';
import { t } from './later-texts.js';

const LOOKS: Readonly<Record<string, BannerLook>> = { Information: 'info', Success: 'ok', Warning: 'warn', Error: 'bad' };

/** Browser's key for the text of the alert that its user closed for good. */
const CLOSED = 'closed-alert';

/**
 * Alert of the server's administrators to all users. Once closed, it stays closed until its text changes; a sticky alert only until the
 * page is loaded again.
 */
export function Alert(): ReactNode {
  const { alert, user } = useSession();
  const [closedNow, setClosedNow] = useState<string | null>(null);
  if (alert === null || alert.message === null) return null;
  const { message, severity, isDismissable, isSticky } = alert;
  const isClosed = closedNow === message || (!isSticky && valueForUser(localStorage.getItem(CLOSED), user.id) === message);
  if (isDismissable && isClosed) return null;
  const close = (): void => {
    setClosedNow(message);
    if (!isSticky) localStorage.setItem(CLOSED, textForUser(user.id, message));
  };
  return (
    <div className={css.alert}>
      <Banner
        look={LOOKS[severity] ?? 'info'}
        actions={isDismissable ? <IconButton icon={X} label={t('dismiss')} onClick={close} /> : undefined}
      >
        {message}
      </Banner>
    </div>
  );
}
