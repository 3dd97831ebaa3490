import { Field as Base } from '@base-ui/react/field';
import { type ComponentPropsWithRef, type ReactNode, useEffect, useRef } from 'react';

import { classes } from '../classes.js';
import choice from '../frames/Choice.module.css';
import { FieldError } from '../field/FieldError.js';
import css from './Checkbox.module.css';

type CheckboxProps<Name extends string> = Omit<ComponentPropsWithRef<'input'>, 'type' | 'ref' | 'children' | 'name'> & {
  readonly name?: NoInfer<Name>;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** The label is read aloud only: in tables. */
  readonly hideLabel?: boolean;
  /** Some of its items are chosen. */
  readonly indeterminate?: boolean;
};

/** A native checkbox with its label. In a form its value is `on`. */
export function Checkbox<Name extends string = never>({
  label,
  hint,
  hideLabel = false,
  indeterminate = false,
  name,
  className,
  disabled,
  ...input
}: CheckboxProps<Name>): ReactNode {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = indeterminate;
  }, [indeterminate]);
  return (
    <Base.Root name={name} className={className}>
      <label className={classes(choice.choice, disabled === true && choice.disabled)}>
        <input ref={box} type="checkbox" name={name} className={classes(choice.control, css.box)} disabled={disabled} {...input} />
        <span className={hideLabel ? 'visually-hidden' : choice.text}>
          {label}
          {hint !== undefined && <span className={choice.hint}>{hint}</span>}
        </span>
      </label>
      <FieldError className={classes(choice.error, css.error)} />
    </Base.Root>
  );
}
