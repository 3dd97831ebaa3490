import type { IconNode } from 'lucide';
import type { ComponentPropsWithRef, ReactNode } from 'react';

import { classes } from '../classes.js';
import { Icon } from '../icon/Icon.js';
import css from './Button.module.css';

/** Role of a button: the one main act of a page, one of several, something beside, or something that destroys. */
export type ButtonLook = 'primary' | 'plain' | 'quiet' | 'danger';

interface ButtonOwnProps {
  readonly look?: ButtonLook;
  readonly icon?: IconNode;
  /** The act is under way: the button shows it and takes no clicks. */
  readonly busy?: boolean;
  /** As wide as its parent. */
  readonly wide?: boolean;
}

export type ButtonProps = ButtonOwnProps & ComponentPropsWithRef<'button'>;

const LOOKS: Readonly<Record<ButtonLook, string | undefined>> = {
  primary: css.primary,
  plain: undefined,
  quiet: css.quiet,
  danger: css.danger,
};

/** The classes of a button, for links that look like one. */
export const buttonClasses = (look: ButtonLook = 'plain', ...more: readonly (string | undefined | false)[]): string =>
  classes(css.button, LOOKS[look], ...more);

/**
 * A button with a text, and an icon before it if given. While it is busy it keeps the focus, which the browser takes from disabled
 * elements.
 */
export function Button({ look, icon, busy = false, wide = false, className, children, onClick, ...rest }: ButtonProps): ReactNode {
  return (
    <button
      type="button"
      className={buttonClasses(look, wide && css.wide, busy && css.busy, className)}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => {
        // Neither the click nor the Enter key in a field sends a form a second time.
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
      {...rest}
    >
      <Icon of={icon} />
      <span>{children}</span>
    </button>
  );
}

type IconButtonProps = Omit<ComponentPropsWithRef<'button'>, 'children'> & {
  readonly icon: IconNode;
  /** Name of its action: read aloud, and shown by the browser while the pointer rests on it. */
  readonly label: string;
  readonly look?: ButtonLook;
  /** For bars that are lower than a control. Under a finger it has its full size. */
  readonly small?: boolean;
};

/** A button with an icon only. */
export function IconButton({ icon, label, look = 'quiet', small = false, className, ...rest }: IconButtonProps): ReactNode {
  return (
    <button
      type="button"
      className={buttonClasses(look, css.icon, small && css.small, className)}
      aria-label={label}
      title={label}
      {...rest}
    >
      <Icon of={icon} />
    </button>
  );
}
