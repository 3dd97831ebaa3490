import { FolderUp } from 'lucide';
import type { ReactNode } from 'react';

import { Icon } from '../../../../ui/icon/Icon.js';
import css from './DropText.module.css';

/** The place where dragged files would go, in words over the area that takes them. */
export function DropText({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <p className={css.text} role="status">
      <Icon of={FolderUp} size={20} />
      {children}
    </p>
  );
}
