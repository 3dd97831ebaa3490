import { type RefObject, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';

import { type RowRange, rowsIn, scrollTopFor } from './window.js';

/** Rows that are made on both sides of those that are seen. */
const BEYOND = 20;

interface RowWindow extends RowRange {
  /** Brings a row into sight. */
  readonly scrollTo: (index: number) => void;
}

/** The rows of a list that are made, as far as its scroller shows them. */
export function useWindow(
  scroller: RefObject<HTMLElement | null>,
  body: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
): RowWindow {
  const [range, setRange] = useState<RowRange>({ first: 0, last: -1 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const measure = (): void => {
      const next = rowsIn({ scrollTop: element.scrollTop, height: element.clientHeight, rowHeight, count }, BEYOND);
      setRange((before) => (before.first === next.first && before.last === next.last ? before : next));
    };
    // Rows come with the frame that shows their place.
    const onScroll = (): void => flushSync(measure);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller, count, rowHeight]);
  return {
    first: range.first,
    // Until the next measure, the range may reach beyond a list that has become shorter.
    last: Math.min(range.last, count - 1),
    scrollTo(index) {
      const element = scroller.current;
      if (element === null) return;
      const { scrollTop, clientHeight: height } = element;
      element.scrollTop = scrollTopFor(index, body.current?.offsetTop ?? 0, { scrollTop, height, rowHeight, count });
    },
  };
}
