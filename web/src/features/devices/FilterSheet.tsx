import type { ReactNode } from 'react';

import { Drawer } from '../../ui/drawer/Drawer.js';
import css from './DevicesPage.module.css';
import { t } from '../../parts/devices/texts.js';

interface FilterSheetProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The filters below each other, as a phone has room for them. */
export function FilterSheet({ open, onClose, children }: FilterSheetProps): ReactNode {
  return (
    <Drawer open={open} onClose={onClose} title={t('filters')}>
      <div className={css.sheet}>{children}</div>
    </Drawer>
  );
}
