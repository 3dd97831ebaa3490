import { Link, type LinkProps } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';

import type { MenuEntry } from '../menu/entries.js';
import { MenuButton } from '../menu/MenuButton.js';
import { t } from '../later-texts.js';
import css from './DataTable.module.css';

/* Actions of a row, in the table and on a phone. */

interface OpenerProps<T> {
  readonly row: T;
  readonly rowLink?: (row: T) => LinkProps;
  readonly onRowOpen?: (row: T) => void;
  readonly children: ReactNode;
}

/** The name of a row as the link or button that opens it. */
export function Opener<T>({ row, rowLink, onRowOpen, children }: OpenerProps<T>): ReactNode {
  if (rowLink !== undefined) {
    return (
      <Link {...rowLink(row)} className={css.opener} data-opens-row>
        {children}
      </Link>
    );
  }
  if (onRowOpen === undefined) return children;
  return (
    <button type="button" className={css.opener} data-opens-row onClick={() => onRowOpen(row)}>
      {children}
    </button>
  );
}

interface RowMenuProps<T> {
  readonly row: T;
  readonly rowMenu: (row: T) => readonly MenuEntry[];
  readonly rowName?: (row: T) => string;
}

/** The acts of a row, behind three dots. */
export function RowMenu<T>({ row, rowMenu, rowName }: RowMenuProps<T>): ReactNode {
  const label = rowName === undefined ? t('actions') : t('actions-for', { name: rowName(row) });
  return <MenuButton label={label} hideLabel className={css.dots} entries={() => rowMenu(row)} />;
}

/** True if an event comes from a control within the row, which has a purpose of its own. */
export const isControl = ({ target }: { readonly target: EventTarget }): boolean =>
  target instanceof Element && target.closest('a, button, input, select, textarea, label') !== null;

/** A click anywhere on a row is one on its link, unless it was on another control or selected some text. */
export function openRow(event: MouseEvent<HTMLElement>): void {
  // Clicks in the menu of a row come here too, though the menu stands elsewhere in the page.
  if (event.target instanceof Node && !event.currentTarget.contains(event.target)) return;
  if (event.defaultPrevented || isControl(event) || getSelection()?.isCollapsed === false) return;
  const { ctrlKey, metaKey, shiftKey } = event;
  const opener = event.currentTarget.querySelector('[data-opens-row]');
  opener?.dispatchEvent(new globalThis.MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}
