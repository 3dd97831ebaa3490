import { type KeyboardEvent, memo, type PointerEvent, type ReactNode, type RefObject, useRef, useState } from 'react';

import { isRightToLeft } from '../direction.js';
import { t } from '../later-texts.js';
import css from './ColumnEdge.module.css';
import { layoutOf, LEAST_WIDTH, type Measures, MOST_WIDTH, type Widths } from './layout.js';
import { widthsAfter } from './widths.js';

/** Change of a width by an arrow key, in pixels. */
const STEP = 8;

interface ColumnEdgeProps {
  readonly grid: RefObject<HTMLElement | null>;
  readonly columns: readonly Measures[];
  /** The column that ends here, and its title. */
  readonly id: string;
  readonly title: string;
  readonly tabIndex: 0 | -1;
  readonly isSelectable: boolean;
  onWidths(this: void, widths: Widths): void;
}

/** A width that is being changed. */
interface Change {
  /** The widths as they were. */
  readonly shown: readonly number[];
  readonly startX: number;
  by: number;
  widths: Widths | null;
}

/**
 * The edge of a column's head: dragging it, or arrow keys, make the column wider or narrower; a double click or Enter resets it to its own
 * width. Until the pointer or the key goes up, only custom properties of the grid change; then the width is reported.
 */
export const ColumnEdge = memo(function ColumnEdge(props: ColumnEdgeProps): ReactNode {
  const { grid, columns, id, title, tabIndex, isSelectable, onWidths } = props;
  const change = useRef<Change | null>(null);
  const [width, setWidth] = useState<number | null>(null);
  const at = columns.findIndex((column) => column.id === id);

  const measure = (): number[] =>
    [...(grid.current?.querySelectorAll('[data-column]') ?? [])].map((head) => head.getBoundingClientRect().width);
  const show = (widths?: Widths): void => {
    for (const [name, value] of Object.entries(layoutOf(columns, isSelectable, widths))) grid.current?.style.setProperty(name, value);
    setWidth(Math.round(measure()[at] ?? 0));
  };
  const begin = (startX: number): Change => (change.current = { shown: measure(), startX, by: 0, widths: null });
  const resize = (current: Change, by: number): void => {
    if (by === current.by) return;
    current.by = by;
    current.widths = widthsAfter(columns, current.shown, id, (current.shown[at] ?? 0) + by);
    show(current.widths);
  };
  const end = (isKept: boolean): void => {
    const widths = change.current?.widths ?? null;
    change.current = null;
    if (widths === null) return;
    if (isKept) onWidths(widths);
    else show();
  };
  const direction = (): 1 | -1 => (grid.current !== null && isRightToLeft(grid.current) ? -1 : 1);

  const drag = (event: PointerEvent<HTMLElement>): void => {
    const { current } = change;
    if (current === null || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    resize(current, Math.round(event.clientX - current.startX) * direction());
  };
  const press = (event: KeyboardEvent): void => {
    const steps = { ArrowRight: direction() * STEP, ArrowLeft: direction() * -STEP, Home: -MOST_WIDTH, End: MOST_WIDTH };
    if (event.key === 'Escape') end(false);
    else if (event.key === 'Enter') onWidths({ [id]: undefined });
    else if (event.key in steps) {
      const current = change.current ?? begin(0);
      resize(current, within(current, current.by + steps[event.key as keyof typeof steps]));
    } else return;
    event.preventDefault();
    // None of these keys is for the rows.
    event.stopPropagation();
  };
  /** Limits the change of the width, so that a step back has an effect at once. */
  const within = ({ shown }: Change, by: number): number =>
    Math.min(MOST_WIDTH - (shown[at] ?? 0), Math.max(LEAST_WIDTH - (shown[at] ?? 0), by));

  return (
    // A separator that takes focus is a control: its arrow keys change the width.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className={css.edge}
      role="separator"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={tabIndex}
      aria-orientation="vertical"
      aria-label={t('column-width', { name: title })}
      aria-valuenow={width ?? columns[at]?.given ?? columns[at]?.width}
      aria-valuemin={LEAST_WIDTH}
      aria-valuemax={MOST_WIDTH}
      onFocus={() => setWidth(Math.round(measure()[at] ?? 0))}
      onBlur={() => {
        end(true);
        setWidth(null);
      }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        begin(event.clientX);
      }}
      onPointerMove={drag}
      onPointerUp={() => end(true)}
      onLostPointerCapture={() => end(false)}
      onDoubleClick={() => onWidths({ [id]: undefined })}
      onKeyDown={press}
      onKeyUp={() => end(true)}
    />
  );
});
