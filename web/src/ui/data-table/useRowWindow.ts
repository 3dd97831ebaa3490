import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

import { isWindowed, type RowWindow, rowsInSight } from './row-window.js';

interface ShownRows extends RowWindow {
  /** The element around the rows. */
  readonly body: RefObject<HTMLElement | null>;
  /** Height of the rows that are left out before and after, in pixels; null where all stand in the document. */
  readonly space: { readonly before: number; readonly after: number } | null;
}

/** The rows of a list that stand in the document. In a long list all rows have one height, which is that of the first. */
export function useRowWindow(count: number): ShownRows {
  const body = useRef<HTMLElement>(null);
  const [rowHeight, setRowHeight] = useState(40);
  const [{ first, end }, setWindow] = useState<RowWindow>(() => rowsInSight(count, { top: 0, rowHeight, windowHeight: innerHeight }));
  const isLong = isWindowed(count);
  useLayoutEffect(() => {
    if (!isLong) return undefined;
    const measure = (): void => {
      const element = body.current;
      if (element === null) return;
      const height = element.querySelector('[data-row]')?.getBoundingClientRect().height ?? 0;
      if (height > 0) setRowHeight(height);
      const sight = { top: element.getBoundingClientRect().top, rowHeight: height > 0 ? height : rowHeight, windowHeight: innerHeight };
      const next = rowsInSight(count, sight);
      setWindow((before) => (before.first === next.first && before.end === next.end ? before : next));
    };
    measure();
    // Rows come with the frame that shows their place, whichever element around the list scrolls.
    const onScroll = (): void => flushSync(measure);
    document.addEventListener('scroll', onScroll, { capture: true, passive: true });
    addEventListener('resize', onScroll);
    return () => {
      document.removeEventListener('scroll', onScroll, { capture: true });
      removeEventListener('resize', onScroll);
    };
  }, [count, isLong, rowHeight]);
  if (!isLong) return { body, first: 0, end: count, space: null };
  const [from, to] = [Math.min(first, count - 1), Math.min(Math.max(end, first + 1), count)];
  return { body, first: from, end: to, space: { before: from * rowHeight, after: (count - to) * rowHeight } };
}
