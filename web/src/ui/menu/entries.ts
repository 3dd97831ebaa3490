import type { IconNode } from 'lucide';

/** An act in a menu. */
export interface MenuAct {
  readonly label: string;
  readonly icon?: IconNode;
  /** The keys that do the same without the menu, as `Kbd` takes them: `t`, `Ctrl+C`. The menu shows them, the page listens to them. */
  readonly shortcut?: string;
  readonly danger?: boolean;
  /** Stays visible, so that people learn where the act would be. Say why in `hint`. */
  readonly disabled?: boolean;
  readonly hint?: string;
  readonly onSelect: () => void;
}

/** A choice that is on or off; the menu stays open. */
export interface MenuCheck {
  readonly label: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onCheckedChange: (checked: boolean) => void;
}

/** A link to a page, as an address made by the router: `router.buildLocation({ … }).href`. */
export interface MenuLink {
  readonly label: string;
  readonly icon?: IconNode;
  readonly shortcut?: string;
  readonly href: string;
}

/** Entries under a heading. */
interface MenuGroup {
  readonly group: string;
  readonly entries: readonly MenuEntry[];
}

/** Entries in a menu of their own. */
interface Submenu {
  readonly submenu: string;
  readonly icon?: IconNode;
  readonly entries: readonly MenuEntry[];
}

/** Entry of a menu. `null` is a line between two groups. */
export type MenuEntry = MenuAct | MenuCheck | MenuLink | MenuGroup | Submenu | null;

/** The entries without separators at the start, at the end, or next to each other, which remain where forbidden entries were left out. */
export function withoutIdleLines(entries: readonly MenuEntry[]): MenuEntry[] {
  const kept = entries.filter((entry, index) => entry !== null || (index > 0 && entries[index - 1] !== null));
  while (kept.at(-1) === null) kept.pop();
  while (kept[0] === null) kept.shift();
  return kept;
}
