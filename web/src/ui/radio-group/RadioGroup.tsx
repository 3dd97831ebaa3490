import { Field as Base } from '@base-ui/react/field';
import type { ReactNode } from 'react';

import { classes } from '../classes.js';
import choice from '../frames/Choice.module.css';
import css from './RadioGroup.module.css';
import type { FieldName } from '../form/field-name.js';

interface RadioOption<T extends string> {
  readonly value: T;
  readonly label: ReactNode;
  /** Meaning of the choice. */
  readonly hint?: ReactNode;
  readonly disabled?: boolean;
}

interface RadioGroupProps<T extends string> {
  readonly name: FieldName;
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
export function RadioGroup<T extends string>({
  name,
  label,
  hideLabel = false,
  options,
  value,
  defaultValue,
  onValueChange,
  disabled,
  required,
}: RadioGroupProps<T>): ReactNode {
  return (
    <Base.Root name={name}>
      <fieldset className={css.group} disabled={disabled}>
        <legend className={hideLabel ? 'visually-hidden' : css.legend}>{label}</legend>
        {options.map((option) => (
          <label key={option.value} className={classes(choice.choice, (option.disabled ?? disabled) === true && choice.disabled)}>
            <input
              type="radio"
              name={name}
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
      <Base.Error className={choice.error} />
    </Base.Root>
  );
}
