import { type CSSProperties, useSyncExternalStore } from 'react';

/** A phone, upright or on its side. */
export const IS_PHONE = '(pointer: coarse) and (max-width: 759px), (pointer: coarse) and (max-height: 479px)';
/** Lowest panel that has room for its tools while a keyboard is shown, in pixels. */
const LOW = 320;

function subscribe(listener: () => void): () => void {
  for (const name of ['resize', 'scroll']) visualViewport?.addEventListener(name, listener);
  return () => {
    for (const name of ['resize', 'scroll']) visualViewport?.removeEventListener(name, listener);
  };
}

/** The top and the height of the page that no keyboard covers; empty where they are not known. */
function visibleArea(): string {
  // An enlarged page shows a part of itself, keyboard or not.
  return visualViewport === null || visualViewport.scale > 1 ? '' : `${visualViewport.offsetTop} ${visualViewport.height}`;
}

interface Cover {
  readonly style: CSSProperties | undefined;
  /** True if there is no room for tools. */
  readonly isLow: boolean;
}

/** The place of a panel that covers the page, but not the keyboard of the phone. */
export function useCover(): Cover {
  const area = useSyncExternalStore(subscribe, visibleArea);
  if (area === '') return { style: undefined, isLow: false };
  const [top = 0, height = 0] = area.split(' ').map(Number);
  return { style: { top, height, bottom: 'auto' }, isLow: height < LOW };
}
