import { type ReactNode, useEffect } from 'react';

import { useSession } from '../../../access/session.js';
import { classes } from '../../../ui/classes.js';
import { useCurrentDevice } from '../current-device.js';
import { t } from '../texts.js';
import css from './DevicePanel.module.css';

interface DevicePanelProps {
  /** The word of the tab, first in the browser's title. */
  readonly title: string;
  /** The panel fills the rest of the window, and its contents scroll. */
  readonly fill?: boolean;
  /** The panel has no margin of its own. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** Frame for the content of a tab of the device page. */
export function DevicePanel({ title, fill = false, flush = false, children }: DevicePanelProps): ReactNode {
  const { name } = useCurrentDevice();
  const { tenant } = useSession();
  const fullTitle = [title, name, tenant.name ?? t('product')].join(' · ');
  useEffect(() => {
    document.title = fullTitle;
  }, [fullTitle]);
  return (
    <section className={classes(css.panel, fill && css.fill, flush && css.flush)} aria-label={title} data-fill={fill || undefined}>
      {children}
    </section>
  );
}
