import { Field as Base } from '@base-ui/react/field';
import { type ReactNode, useId } from 'react';

import { classes } from '../classes.js';
import choice from '../frames/Choice.module.css';
import { FieldError } from '../field/FieldError.js';
import css from './RadioGroup.module.css';

interface RadioOption<T extends string> {
  readonly value: T;
  readonly label: ReactNode;
  /** Meaning of the choice. */
  readonly hint?: ReactNode;
  readonly disabled?: boolean;
}

interface RadioGroupProps<T extends string, Name extends string> {
  /** Name in the values of the form; none for a choice that no form sends. */
  readonly name?: NoInfer<Name>;
  readonly label: ReactNode;
  readonly hideLabel?: boolean;
  readonly options: readonly RadioOption<T>[];
  /** Use with `onValueChange`; else give `defaultValue` and read the form. */
  readonly value?: T;
  readonly defaultValue?: T;
  readonly onValueChange?: (value: T) => void;
  readonly disabled?: boolean;
  readonly required?: boolean;
}

/** One of a few choices, all in view with their meanings. */
export function RadioGroup<T extends string, Name extends string = never>({
  name,
  label,
  hideLabel = false,
  options,
  value,
  defaultValue,
  onValueChange,
  disabled,
  required,
}: RadioGroupProps<T, Name>): ReactNode {
  // The browser knows the buttons of one group by their name.
  const group = useId();
  return (
    <Base.Root name={name}>
      <fieldset className={css.group} disabled={disabled}>
        <legend className={hideLabel ? 'visually-hidden' : css.legend}>{label}</legend>
        {options.map((option) => (
          <label key={option.value} className={classes(choice.choice, (option.disabled ?? disabled) === true && choice.disabled)}>
            <input
              type="radio"
              name={name ?? group}
              value={option.value}
              className={classes(choice.control, css.dot)}
              disabled={option.disabled}
              required={required}
              {...(value === undefined
                ? { defaultChecked: option.value === defaultValue }
                : { checked: option.value === value, onChange: () => onValueChange?.(option.value) })}
            />
            <span className={choice.text}>
              {option.label}
              {option.hint !== undefined && <span className={choice.hint}>{option.hint}</span>}
            </span>
          </label>
        ))}
      </fieldset>
      <FieldError className={choice.error} />
    </Base.Root>
  );
}
