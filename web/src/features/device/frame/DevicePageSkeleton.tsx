import type { ReactNode } from 'react';

import { t } from '../../../ui/texts.js';
import css from './DevicePageSkeleton.module.css';

/** The shape of a device page that is being loaded. */
export function DevicePageSkeleton(): ReactNode {
  return (
    <div className={css.page} role="status" aria-label={t('loading')}>
      <div className={css.short} />
      <div className={css.name} />
      <div className={css.tabs} />
      <div className={css.body} />
    </div>
  );
}
