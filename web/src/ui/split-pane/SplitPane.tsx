import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';

import { isRightToLeft } from '../direction.js';
import { t } from '../later-texts.js';
import css from './SplitPane.module.css';

interface SplitPaneProps {
  /** Under this name the browser remembers the width. */
  readonly id: string;
  /** Name of the two parts: "Folders and files". */
  readonly label: string;
  readonly start: ReactNode;
  readonly end: ReactNode;
  /** Widths of the first pane in pixels. */
  readonly defaultSize?: number;
  readonly min?: number;
  readonly max?: number;
}

const STEP = 16;
const keyOf = (id: string): string => `split-pane.${id}`;

/** Two panes side by side with a divider to drag, by pointer or arrow keys. On a phone the first stands above the second. */
export function SplitPane({ id, label, start, end, defaultSize = 280, min = 160, max = 640 }: SplitPaneProps): ReactNode {
  const pane = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState(() => clamp(Number(localStorage.getItem(keyOf(id)) ?? defaultSize) || defaultSize));

  function clamp(wanted: number): number {
    return Math.round(Math.min(max, Math.max(min, wanted)));
  }
  const resize = (wanted: number): void => {
    const next = clamp(wanted);
    setSize(next);
    localStorage.setItem(keyOf(id), String(next));
  };

  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || pane.current === null) return;
    const { left, right } = pane.current.getBoundingClientRect();
    resize(isRightToLeft(pane.current) ? right - event.clientX : event.clientX - left);
  };
  const move = (event: KeyboardEvent): void => {
    const turned = isRightToLeft(event.currentTarget);
    const forward = turned ? 'ArrowLeft' : 'ArrowRight';
    const backward = turned ? 'ArrowRight' : 'ArrowLeft';
    const wanted = { [forward]: size + STEP, [backward]: size - STEP, Home: min, End: max }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    resize(wanted);
  };
  return (
    <div className={css.split}>
      <div ref={pane} className={css.start} style={{ '--size': `${size}px` }}>
        {start}
      </div>
      {/* A separator that takes focus is a control: its arrow keys resize the panes. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/no-noninteractive-tabindex */}
      <div
        className={css.divider}
        role="separator"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={t('divider', { name: label })}
        aria-valuenow={size}
        aria-valuemin={min}
        aria-valuemax={max}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onDoubleClick={() => resize(defaultSize)}
        onKeyDown={move}
      />
      <div className={css.end}>{end}</div>
    </div>
  );
}
