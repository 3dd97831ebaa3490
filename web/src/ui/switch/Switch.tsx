import type { ComponentPropsWithRef, ReactNode } from 'react';

import { classes } from '../classes.js';
import choice from '../frames/Choice.module.css';
import css from './Switch.module.css';

type SwitchProps = Omit<ComponentPropsWithRef<'input'>, 'type' | 'role' | 'children' | 'onChange' | 'checked'> & {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** The label is read aloud only: in tables. */
  readonly hideLabel?: boolean;
  readonly checked: boolean;
  readonly onCheckedChange: (checked: boolean) => void;
  /** The change is under way: the switch shows it and takes no clicks. */
  readonly busy?: boolean;
};

/** A setting that takes effect at once. For a value that is sent with a form, use a Checkbox. */
export function Switch({
  label,
  hint,
  hideLabel = false,
  onCheckedChange,
  busy = false,
  disabled,
  className,
  ...input
}: SwitchProps): ReactNode {
  return (
    <label className={classes(choice.choice, css.switch, disabled === true && choice.disabled, className)}>
      <span className={hideLabel ? 'visually-hidden' : classes(choice.text, css.text)}>
        {label}
        {hint !== undefined && <span className={choice.hint}>{hint}</span>}
      </span>
      <input
        type="checkbox"
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox tells by itself whether it is checked
        role="switch"
        className={classes(choice.control, css.track, busy && css.busy)}
        disabled={disabled}
        aria-busy={busy || undefined}
        onChange={(event) => {
          if (!busy) onCheckedChange(event.currentTarget.checked);
        }}
        {...input}
      />
    </label>
  );
}
