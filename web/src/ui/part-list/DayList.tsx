import type { ReactNode } from 'react';

import css from './PartList.module.css';

interface DayListProps {
  /** The day, as people read it. */
  readonly day: string;
  readonly children: ReactNode;
}

/** The rows of a day below its date. Holds `li` elements. */
export function DayList({ day, children }: DayListProps): ReactNode {
  return (
    <section className={css.day}>
      <h2 className={css.date}>{day}</h2>
      <ul className={css.rows}>{children}</ul>
    </section>
  );
}
