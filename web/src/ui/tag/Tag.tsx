import { X } from 'lucide';
import type { ReactNode } from 'react';

import { classes } from '../classes.js';
import { Icon } from '../icon/Icon.js';
import { t } from '../texts.js';
import { seriesOf } from './series.js';
import css from './Tag.module.css';

interface TagProps {
  readonly name: string;
  /** Removes the tag; without it the tag cannot be removed. */
  readonly onRemove?: () => void;
}

/** The name of a tag in the colour that follows from it. */
export function Tag({ name, onRemove }: TagProps): ReactNode {
  return (
    <span className={classes(css.tag, css[`series${seriesOf(name)}`])} title={name}>
      <span className="cut">{name}</span>
      {onRemove !== undefined && (
        <button type="button" className={css.remove} aria-label={t('remove-name', { name })} onClick={onRemove}>
          <Icon of={X} size={12} />
        </button>
      )}
    </span>
  );
}

/** Several tags in one line, in the order given: as many as there is room for, all of them where the pointer rests. */
export function Tags({ names }: { readonly names: readonly string[] }): ReactNode {
  return (
    <span className={css.tags} title={names.join(', ')}>
      {names.map((name) => (
        <Tag key={name} name={name} />
      ))}
    </span>
  );
}
