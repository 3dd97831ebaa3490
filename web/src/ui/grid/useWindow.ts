import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';

import { placesSeen, type RowRange, rowsAround, scrollTopFor } from './window.js';

/** Rows that are made on both sides of those that are seen, once these are on the screen. */
const BEYOND = 20;

interface RowWindow extends RowRange {
  /** Brings a row into sight. */
  readonly scrollTo: (index: number) => void;
}

/** The rows of a list that are made, as far as its scroller shows them. `isLoaded` is true once the first of them have come. */
export function useWindow(
  scroller: RefObject<HTMLElement | null>,
  body: RefObject<HTMLElement | null>,
  { count, rowHeight, isLoaded }: { readonly count: number; readonly rowHeight: number; readonly isLoaded: boolean },
): RowWindow {
  const [seen, setSeen] = useState<RowRange>({ first: 0, last: -1 });
  const [beyond, setBeyond] = useState(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const measure = (): void => {
      const next = placesSeen({ scrollTop: element.scrollTop, height: element.clientHeight, rowHeight });
      setSeen((before) => (before.first === next.first && before.last === next.last ? before : next));
    };
    // Rows come with the frame that shows their place.
    const onScroll = (): void =>
      flushSync(() => {
        setBeyond(BEYOND);
        measure();
      });
    // Calls back in the frame in which the list appears, too, when its height is known anyway.
    const observer = new ResizeObserver(() => flushSync(measure));
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller, rowHeight]);
  useEffect(() => (isLoaded ? afterFrame(() => setBeyond(BEYOND)) : undefined), [isLoaded]);
  return {
    ...rowsAround(seen, count, beyond),
    scrollTo(index) {
      const element = scroller.current;
      if (element === null) return;
      const { scrollTop, clientHeight: height } = element;
      element.scrollTop = scrollTopFor(index, body.current?.offsetTop ?? 0, { scrollTop, height, rowHeight });
    },
  };
}

/** Calls back after the next frame has been drawn. Returns a function that cancels this. */
function afterFrame(callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(callback);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
