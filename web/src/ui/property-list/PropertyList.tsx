import type { ReactNode } from 'react';

import { classes } from '../classes.js';
import { CopyButton } from '../copy/CopyButton.js';
import { t } from '../later-texts.js';
import css from './PropertyList.module.css';

interface PropertyListProps {
  /** Two facts stand in one line where there is room. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** Facts about one thing: terms with their values. Holds `Property` elements. */
export function PropertyList({ wide = false, children }: PropertyListProps): ReactNode {
  return <dl className={classes(css.list, wide && css.wide)}>{children}</dl>;
}

interface PropertyProps {
  readonly term: string;
  /** Text to copy; without it there is nothing to copy. */
  readonly copy?: string;
  /** Ids, addresses, paths. */
  readonly mono?: boolean;
  /** The value; a dash stands for none. */
  readonly children?: ReactNode;
}

/** One term and its value. */
export function Property({ term, copy, mono = false, children }: PropertyProps): ReactNode {
  const isEmpty = children === undefined || children === null || children === '';
  return (
    <div className={css.property}>
      <dt className={css.term}>{term}</dt>
      <dd className={css.value}>
        <span className={classes(css.text, mono && css.mono)}>
          {isEmpty ? (
            <span className="faint" aria-label={t('none')}>
              –
            </span>
          ) : (
            children
          )}
        </span>
        {copy !== undefined && copy !== '' && <CopyButton text={copy} label={t('copy-name', { name: term })} className={css.copy} />}
      </dd>
    </div>
  );
}
