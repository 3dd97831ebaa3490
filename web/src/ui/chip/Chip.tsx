import { ChevronDown, type IconNode, X } from 'lucide';
import type { ComponentPropsWithRef, ReactNode } from 'react';

import { classes } from '../classes.js';
import { Icon } from '../icon/Icon.js';
import { t } from '../texts.js';
import css from './Chip.module.css';

interface ChipProps {
  readonly icon?: IconNode;
  /** Text of the chip: the remove button names it. */
  readonly label: string;
  readonly onRemove?: () => void;
}

/** Something chosen that can be taken away again, by its cross or by Backspace on it: a recipient, a scope. */
export function Chip({ icon, label, onRemove }: ChipProps): ReactNode {
  return (
    <span className={css.chip}>
      <span className={css.text} title={label}>
        <Icon of={icon} />
        <span className="cut">{label}</span>
      </span>
      {onRemove !== undefined && <RemoveButton name={label} onRemove={onRemove} />}
    </span>
  );
}

type FilterChipProps = Omit<ComponentPropsWithRef<'button'>, 'children' | 'value'> & {
  /** Name of the filter: "Customer". */
  readonly label: string;
  /** Value of the filter; without it the filter is off. */
  readonly value?: string;
  readonly onRemove?: () => void;
};

/** A filter above a list. It opens its choices (as the trigger of a Popover or Menu), shows its value, and can be taken away. */
export function FilterChip({ label, value, onRemove, className, ...button }: FilterChipProps): ReactNode {
  const isOn = value !== undefined;
  return (
    <span className={classes(css.chip, css.filter, isOn && css.on)}>
      <button type="button" className={classes(css.text, css.button, className)} {...button}>
        <span className="cut">
          {label}
          {isOn && (
            <>
              : <b>{value}</b>
            </>
          )}
        </span>
        {!isOn && <Icon of={ChevronDown} />}
      </button>
      {isOn && onRemove !== undefined && <RemoveButton name={`${label}: ${value}`} onRemove={onRemove} />}
    </span>
  );
}

/** An on-off choice above a list, such as "Only mine". */
export function ToggleChip({
  pressed,
  className,
  children,
  ...button
}: ComponentPropsWithRef<'button'> & { readonly pressed: boolean }): ReactNode {
  return (
    <span className={classes(css.chip, css.filter, pressed && css.on)}>
      <button type="button" className={classes(css.text, css.button, className)} aria-pressed={pressed} {...button}>
        <span className="cut">{children}</span>
      </button>
    </span>
  );
}

function RemoveButton({ name, onRemove }: { readonly name: string; readonly onRemove: () => void }): ReactNode {
  return (
    <button
      type="button"
      className={css.remove}
      aria-label={t('remove-name', { name })}
      onClick={onRemove}
      onKeyDown={({ key }) => {
        if (key === 'Backspace' || key === 'Delete') onRemove();
      }}
    >
      <Icon of={X} />
    </button>
  );
}
