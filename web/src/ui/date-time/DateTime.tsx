import { Field as Base } from '@base-ui/react/field';
import type { ReactNode } from 'react';

import { Field } from '../field/Field.js';
import fieldCss from '../field/Field.module.css';
import { fromLocalTime, toLocalTime } from './local-time.js';

interface DateTimeProps<Name extends string> {
  /** Name in the values of the form; none for a field that no form sends. */
  readonly name?: NoInfer<Name>;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly hideLabel?: boolean;
  /** An instant in ISO 8601, or null for none. */
  readonly value: string | null;
  readonly onValueChange: (instant: string | null) => void;
  readonly min?: string;
  readonly max?: string;
  readonly required?: boolean;
  readonly disabled?: boolean;
}

/** A day and a time of day in the user's own time zone, by the browser's own control. */
export function DateTime<Name extends string = never>({
  name,
  label,
  hint,
  hideLabel,
  value,
  onValueChange,
  min,
  max,
  required,
  disabled,
}: DateTimeProps<Name>): ReactNode {
  return (
    <Field<Name> {...{ name, label, hint, hideLabel }}>
      <Base.Control
        type="datetime-local"
        className={fieldCss.input}
        // Not controlled: a half typed date is no value, and would be lost.
        defaultValue={value === null ? '' : toLocalTime(value)}
        onValueChange={(text) => onValueChange(fromLocalTime(text))}
        min={min === undefined ? undefined : toLocalTime(min)}
        max={max === undefined ? undefined : toLocalTime(max)}
        {...{ required, disabled }}
      />
    </Field>
  );
}
