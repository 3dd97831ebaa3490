import { Ellipsis, type IconNode } from 'lucide';
import { type ComponentPropsWithRef, lazy, type ReactNode, Suspense, useRef, useState } from 'react';

import { Button, type ButtonLook, IconButton } from '../button/Button.js';
import type { MenuEntry } from './entries.js';

const load = async (): Promise<typeof import('./MenuPopup.js')> => import('./MenuPopup.js');
const MenuPopup = lazy(async () => ({ default: (await load()).MenuPopup }));

interface MenuButtonProps {
  /** The text of the button; with `hideLabel` it is read aloud only. */
  readonly label: string;
  /** Only the icon is seen; without an icon these are three dots. */
  readonly hideLabel?: boolean;
  readonly icon?: IconNode;
  readonly look?: ButtonLook;
  readonly align?: 'start' | 'end';
  readonly disabled?: boolean;
  /** See IconButton. */
  readonly small?: boolean;
  readonly className?: string;
  /** Entries of the menu; a function is called when the menu opens: cheaper in the rows of a list. */
  readonly entries: readonly MenuEntry[] | (() => readonly MenuEntry[]);
}

/** A button with a menu. The menu's code is loaded when the pointer or the focus comes near. */
export function MenuButton({
  label,
  hideLabel = false,
  icon,
  look,
  align,
  disabled,
  small,
  className,
  entries,
}: MenuButtonProps): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  // From the first opening on, so that the menu can fade when it closes.
  const [wasOpened, setOpened] = useState(false);

  const open = (): void => {
    setOpened(true);
    setOpen(true);
  };
  const props: ComponentPropsWithRef<'button'> = {
    ref: button,
    className,
    disabled,
    'aria-haspopup': 'menu',
    'aria-expanded': isOpen,
    onPointerEnter: () => void load(),
    onFocus: () => void load(),
    onClick: () => (isOpen ? setOpen(false) : open()),
    onKeyDown(event) {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      open();
    },
  };
  return (
    <>
      {hideLabel ? (
        <IconButton label={label} icon={icon ?? Ellipsis} look={look} small={small} {...props} />
      ) : (
        <Button icon={icon} look={look} {...props}>
          {label}
        </Button>
      )}
      {wasOpened && (
        <Suspense>
          <MenuPopup
            open={isOpen}
            onOpenChange={setOpen}
            entries={typeof entries === 'function' ? entries() : entries}
            anchor={button}
            align={align ?? (hideLabel ? 'end' : 'start')}
            opener={() => button.current}
            label={label}
          />
        </Suspense>
      )}
    </>
  );
}
