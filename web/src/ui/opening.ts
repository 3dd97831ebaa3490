import { useSyncExternalStore } from 'react';

/** Something over the page that several parts of it open. */
export interface Opening {
  readonly open: () => void;
  readonly close: () => void;
  /** Whether it is open; renders anew when that changes. */
  readonly useIsOpen: () => boolean;
}

/** Makes the switch of something that stands once over the page. */
export function makeOpening(): Opening {
  let isOpen = false;
  const listeners = new Set<() => void>();
  const become = (next: boolean): void => {
    isOpen = next;
    for (const listener of listeners) listener();
  };
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    open: () => become(true),
    close: () => become(false),
    useIsOpen: () => useSyncExternalStore(subscribe, () => isOpen),
  };
}
