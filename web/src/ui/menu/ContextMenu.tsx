import { lazy, type ReactNode, Suspense, useState } from 'react';

import type { MenuEntry } from './entries.js';

const MenuPopup = lazy(async () => ({ default: (await import('./MenuPopup.js')).MenuPopup }));

interface ContextMenuState {
  readonly entries: readonly MenuEntry[];
  readonly anchor: { readonly getBoundingClientRect: () => DOMRect };
  readonly element: HTMLElement;
}

/** The parts of a mouse event that tell where a menu should open. */
interface ContextMenuEvent {
  readonly clientX: number;
  readonly clientY: number;
  readonly currentTarget: EventTarget;
  readonly preventDefault: () => void;
}

export interface ContextMenu {
  /** Opens the menu where the pointer is; call it from `onContextMenu`, which Shift+F10 and the menu key fire too. */
  readonly openMenu: (event: ContextMenuEvent, entries: readonly MenuEntry[]) => void;
  /** Has to stand somewhere in the page. */
  readonly menu: ReactNode;
}

/** One menu for all rows of a list, opened at the pointer or below the row that has the focus. */
export function useContextMenu(): ContextMenu {
  const [state, setState] = useState<ContextMenuState | null>(null);
  const [isOpen, setOpen] = useState(false);
  return {
    openMenu(event, entries) {
      if (entries.length === 0 || !(event.currentTarget instanceof HTMLElement)) return;
      event.preventDefault();
      const element = event.currentTarget;
      // The keyboard gives no pointer position.
      const byKeyboard = event.clientX === 0 && event.clientY === 0;
      const place = byKeyboard ? element.getBoundingClientRect() : new DOMRect(event.clientX, event.clientY, 0, 0);
      setState({ entries, anchor: { getBoundingClientRect: () => place }, element });
      setOpen(true);
    },
    menu: state !== null && (
      <Suspense>
        <MenuPopup open={isOpen} onOpenChange={setOpen} entries={state.entries} anchor={state.anchor} opener={() => state.element} />
      </Suspense>
    ),
  };
}
