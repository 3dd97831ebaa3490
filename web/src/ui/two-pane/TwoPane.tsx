import type { ReactNode } from 'react';

import { classes } from '../classes.js';
import css from './TwoPane.module.css';

interface TwoPaneProps {
  readonly list: ReactNode;
  readonly detail: ReactNode;
  /** Whether something of the list is open. On a phone it takes the place of the list: give the detail a link back. */
  readonly showsDetail: boolean;
}

/** A list and what is open of it side by side; on a phone one at a time. */
export function TwoPane({ list, detail, showsDetail }: TwoPaneProps): ReactNode {
  return (
    <div className={classes(css.panes, showsDetail && css.open)}>
      <div className={css.list}>{list}</div>
      <div className={css.detail}>{detail}</div>
    </div>
  );
}
