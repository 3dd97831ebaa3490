import { X } from 'lucide';
import type { ReactNode } from 'react';

import { classes } from '../classes.js';
import { Icon } from '../icon/Icon.js';
import { t } from '../texts.js';
import { roomFor } from './room.js';
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

interface TagsProps {
  readonly names: readonly string[];
  /** Text before them in the line, which keeps its width. */
  readonly after?: string;
}

/**
 * Several tags in one line, in the order given: as many as there is room for, then the number of the others, `+2`, and all of them where the
 * pointer rests. The room is that of the nearest element that is a container for queries.
 */
export function Tags({ names, after = '' }: TagsProps): ReactNode {
  const { tags, more } = roomFor(after, names);
  return (
    <span className={css.tags} title={names.join(', ')}>
      {tags.map(({ name, from }) => (
        <span key={name} className={css.slot} style={{ '--from': `${from}px` }}>
          <Tag name={name} />
        </span>
      ))}
      {more.map(({ count, from, to }) => (
        <span key={count} className={css.slot} style={{ '--from': `${from}px`, '--to': `${to}px` }} aria-hidden>
          <span className={css.more}>+{count}</span>
        </span>
      ))}
    </span>
  );
}
