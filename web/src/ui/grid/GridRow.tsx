import { type MouseEvent, type ReactNode, useEffectEvent, useLayoutEffect, useRef } from 'react';

import { classes } from '../classes.js';
import { t } from '../texts.js';
import { Cells, Placeholder } from './Cells.js';
import css from './Grid.module.css';
import { isInteractive } from './interactive.js';
import type { useLongPress } from './long-press.js';
import type { GridProps } from './props.js';

interface GridRowProps<Row> extends Pick<
  GridProps<Row>,
  'columns' | 'compact' | 'selection' | 'onOpen' | 'onMenu' | 'menuOf' | 'pressOpensMenu'
> {
  readonly id: string;
  readonly index: number;
  /** Undefined while it is loading. */
  readonly row: Row | undefined;
  /** Distance from the first row, in pixels. */
  readonly top: number;
  readonly isSmall: boolean;
  /** The Tab key stops at it. */
  readonly isReachable: boolean;
  readonly longPress: ReturnType<typeof useLongPress>;
  readonly onClick: (event: MouseEvent, index: number) => void;
  /** The row got the focus, or took it to another place: the list was read or sorted again. */
  readonly onFocus: (index: number) => void;
  readonly select: (index: number, toggle: boolean, range: boolean) => void;
}

/** A row with its cells, or with one cell on a phone. */
export function GridRow<Row>({
  id,
  index,
  row,
  top,
  columns,
  compact,
  isSmall,
  isReachable,
  selection,
  longPress,
  onClick,
  onFocus,
  onOpen,
  onMenu,
  menuOf,
  pressOpensMenu = false,
  select,
}: GridRowProps<Row>): ReactNode {
  const isSelected = selection?.has(id);
  const element = useRef<HTMLDivElement>(null);
  const tellMove = useEffectEvent(() => {
    if (element.current?.contains(document.activeElement)) onFocus(index);
  });
  useLayoutEffect(() => tellMove(), [index]);
  return (
    <div
      ref={element}
      role="row"
      className={classes(css.row, isSmall && css.compact)}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-index={index}
      data-id={id}
      data-menu={menuOf === id || undefined}
      tabIndex={isReachable ? 0 : -1}
      style={{ transform: `translateY(${top}px)` }}
      onClick={(event) => onClick(event, index)}
      onPointerDown={(event) => {
        if (pressOpensMenu && row !== undefined) {
          const { clientX, clientY, currentTarget } = event;
          longPress.down(event, () => onMenu?.(row, { clientX, clientY, currentTarget, preventDefault: () => undefined }));
        } else if (isSmall && isSelected !== undefined) longPress.down(event, () => select(index, true, false));
      }}
      onPointerMove={(event) => longPress.move(event)}
      onPointerUp={longPress.end}
      onPointerCancel={longPress.end}
      onAuxClick={(event) => {
        // A link opens its tab by itself.
        if (event.button === 1 && row !== undefined && !isInteractive(event.target, event.currentTarget)) onOpen(row, true);
      }}
      onContextMenu={(event) => {
        if (longPress.isPart()) event.preventDefault();
        else if (row !== undefined) onMenu?.(row, event);
      }}
      onFocus={() => onFocus(index)}
    >
      {isSelected !== undefined && !isSmall && (
        <div role="gridcell" className={css.check}>
          <input
            type="checkbox"
            aria-label={t('grid-select')}
            tabIndex={-1}
            checked={isSelected}
            disabled={row === undefined}
            onChange={(event) => select(index, true, (event.nativeEvent as unknown as MouseEvent).shiftKey)}
          />
        </div>
      )}
      {row === undefined ? (
        <Placeholder columns={isSmall ? 1 : columns.length} />
      ) : isSmall ? (
        <div role="gridcell">{compact(row)}</div>
      ) : (
        <Cells columns={columns} row={row} />
      )}
    </div>
  );
}
