import { createLink } from '@tanstack/react-router';
import type { IconNode } from 'lucide';
import type { ComponentPropsWithRef, ReactNode } from 'react';

import { classes } from '../classes.js';
import { Icon } from '../icon/Icon.js';
import { useCurrentInSight } from './current-in-sight.js';
import css from './Tabs.module.css';

interface TabsProps {
  /** Name of the tabs: "Parts of the device". */
  readonly label: string;
  readonly children: ReactNode;
}

/** The parts of a page, each with an address of its own: links in a row, the current one marked. */
export function Tabs({ label, children }: TabsProps): ReactNode {
  const row = useCurrentInSight();
  return (
    <nav ref={row} className={css.tabs} aria-label={label}>
      {children}
    </nav>
  );
}

type TabLinkProps = ComponentPropsWithRef<'a'> & {
  readonly icon?: IconNode;
  /** Number of things in the part. */
  readonly count?: number | string;
  /** Something runs there or wants attention: a dot, and these words read aloud. */
  readonly mark?: string;
};

function TabLink({ icon, count, mark, className, children, ...anchor }: TabLinkProps): ReactNode {
  return (
    <a className={classes(css.tab, className)} {...anchor}>
      <Icon of={icon} />
      {children}
      {count !== undefined && <span className={css.count}>{count}</span>}
      {mark !== undefined && (
        <span className={css.mark} title={mark}>
          <span className="visually-hidden">{mark}</span>
        </span>
      )}
    </a>
  );
}

/** One of the tabs. Takes the properties of `Link`; the first one needs `activeOptions={{ exact: true }}`. */
export const Tab = createLink(TabLink);
