import type { ReactNode } from 'react';

import { useMedia } from '../media.js';
import css from './TwoPane.module.css';

/** A window in which both have room beside the navigation, also if one is the list of devices. The style sheet knows it too. */
const isWide = '(min-width: 1440px)';

interface TwoPaneProps {
  readonly list: ReactNode;
  readonly detail: ReactNode;
  /** True if something of the list is open. Without room for both it takes the place of the list: give the detail a link back. */
  readonly showsDetail: boolean;
}

/** A list and its open entry side by side, each of which scrolls by itself; in a window without room for both one at a time. */
export function TwoPane({ list, detail, showsDetail }: TwoPaneProps): ReactNode {
  const hasRoom = useMedia(isWide);
  return (
    <div className={css.panes}>
      {(hasRoom || !showsDetail) && <div className={css.list}>{list}</div>}
      {(hasRoom || showsDetail) && <div className={css.detail}>{detail}</div>}
    </div>
  );
}
