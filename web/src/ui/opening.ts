import { store } from '../state/store.js';

/** Something over the page that several parts of it open. */
export interface Opening {
  readonly open: () => void;
  readonly close: () => void;
  /** True if it is open; renders again when that changes. */
  readonly useIsOpen: () => boolean;
}

/** Makes the switch of something that stands once over the page. */
export function makeOpening(): Opening {
  const { set, useValue } = store(false, 'goes');
  return { open: () => set(true), close: () => set(false), useIsOpen: useValue };
}
