import { Field as Base } from '@base-ui/react/field';
import type { ComponentPropsWithRef, ReactNode } from 'react';

import { Field } from '../field/Field.js';
import css from './Select.module.css';

interface SelectOption<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly disabled?: boolean;
}

type SelectProps<T extends string, Name extends string> = Omit<
  ComponentPropsWithRef<'select'>,
  'name' | 'value' | 'defaultValue' | 'onChange' | 'children'
> & {
  /** Name in the values of the form; none for a choice that no form sends. */
  readonly name?: NoInfer<Name>;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly hideLabel?: boolean;
  readonly options: readonly SelectOption<T>[];
  /** Use with `onValueChange`; else give `defaultValue` and read the form. */
  readonly value?: T;
  readonly defaultValue?: T;
  readonly onValueChange?: (value: T) => void;
};

/** One of some choices, as the browser's own list: best on phones. For many choices use a Combobox. */
export function Select<T extends string, Name extends string = never>({
  name,
  label,
  hint,
  hideLabel,
  className,
  options,
  value,
  defaultValue,
  onValueChange,
  ...select
}: SelectProps<T, Name>): ReactNode {
  return (
    <Field<Name> {...{ name, label, hint, hideLabel, className }}>
      <Base.Control
        value={value}
        defaultValue={defaultValue}
        onValueChange={(chosen) => onValueChange?.(chosen as T)}
        render={
          <select className={css.select} {...select}>
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
        }
      />
    </Field>
  );
}
