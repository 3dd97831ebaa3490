import { Menu as Base } from '@base-ui/react/menu';
import { useRouter } from '@tanstack/react-router';
import { Check, ChevronRight } from 'lucide';
import type { ComponentProps, ReactNode } from 'react';

import { classes } from '../classes.js';
import float from '../frames/Float.module.css';
import { Icon } from '../icon/Icon.js';
import { Kbd } from '../kbd/Kbd.js';
import css from './Menu.module.css';
import { type MenuEntry, withoutIdleLines } from './entries.js';

export interface MenuPopupProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly entries: readonly MenuEntry[];
  /** Place of the menu: the element of its button, or the place of the pointer. */
  readonly anchor: ComponentProps<typeof Base.Positioner>['anchor'];
  readonly align?: 'start' | 'end';
  /** Element that gets the focus back. */
  readonly opener: () => HTMLElement | null;
  readonly label?: string;
}

/** An open menu. Heavy because of its positioning: `MenuButton` and `ContextMenu` load it at first use. */
export function MenuPopup({ open, onOpenChange, entries, anchor, align = 'start', opener, label }: MenuPopupProps): ReactNode {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Positioner className={float.positioner} anchor={anchor} align={align} sideOffset={4} collisionPadding={8}>
          <Base.Popup
            className={classes(float.surface, float.soft, float.list, css.popup)}
            finalFocus={() => focusAfter(opener())}
            aria-label={label}
          >
            <Entries entries={entries} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** The focus goes back to where the menu was opened, unless the chosen act opened a dialog, which has it now. */
function focusAfter(opener: HTMLElement | null): HTMLElement | null | false {
  const topmost = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')].at(-1);
  return topmost !== undefined && !topmost.contains(opener) ? false : opener;
}

function Entries({ entries }: { readonly entries: readonly MenuEntry[] }): ReactNode {
  // The entries of a menu do not change their places while it is open.
  return withoutIdleLines(entries).map((entry, index) => <Entry key={index} entry={entry} />);
}

function Entry({ entry }: { readonly entry: MenuEntry }): ReactNode {
  if (entry === null) return <Base.Separator className={css.line} />;
  if ('group' in entry) {
    return (
      <Base.Group>
        <Base.GroupLabel className={css.heading}>{entry.group}</Base.GroupLabel>
        <Entries entries={entry.entries} />
      </Base.Group>
    );
  }
  if ('submenu' in entry) {
    return (
      <Base.SubmenuRoot>
        <Base.SubmenuTrigger className={classes(float.item, css.item)}>
          <Icon of={entry.icon} className={css.icon} />
          <span className={float.text}>{entry.submenu}</span>
          <Icon of={ChevronRight} className={css.more} />
        </Base.SubmenuTrigger>
        <Base.Portal>
          <Base.Positioner className={float.positioner} collisionPadding={8}>
            <Base.Popup className={classes(float.surface, float.soft, float.list, css.popup)}>
              <Entries entries={entry.entries} />
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.SubmenuRoot>
    );
  }
  if ('checked' in entry) {
    return (
      <Base.CheckboxItem
        className={classes(float.item, css.item)}
        checked={entry.checked}
        disabled={entry.disabled}
        onCheckedChange={entry.onCheckedChange}
      >
        <span className={css.icon}>
          <Base.CheckboxItemIndicator>
            <Icon of={Check} />
          </Base.CheckboxItemIndicator>
        </span>
        <span className={float.text}>{entry.label}</span>
      </Base.CheckboxItem>
    );
  }
  if ('href' in entry) return <LinkEntry {...entry} />;
  return (
    <Base.Item
      className={classes(float.item, css.item, entry.danger === true && css.danger)}
      disabled={entry.disabled}
      onClick={entry.onSelect}
    >
      <Icon of={entry.icon} className={css.icon} />
      <span className={float.text}>
        {entry.label}
        {entry.hint !== undefined && <span className={float.detail}>{entry.hint}</span>}
      </span>
      {entry.shortcut !== undefined && <Kbd keys={entry.shortcut} />}
    </Base.Item>
  );
}

function LinkEntry({ label, icon, shortcut, href }: Extract<MenuEntry, { readonly href: string }>): ReactNode {
  const router = useRouter();
  return (
    <Base.LinkItem
      className={classes(float.item, css.item)}
      href={href}
      closeOnClick
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        void router.navigate({ href });
      }}
    >
      <Icon of={icon} className={css.icon} />
      <span className={float.text}>{label}</span>
      {shortcut !== undefined && <Kbd keys={shortcut} />}
    </Base.LinkItem>
  );
}
