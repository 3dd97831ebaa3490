import { OTPField as Base } from '@base-ui/react/otp-field';
import { type ReactNode, useState } from 'react';

import { Field } from '../field/Field.js';
import { t } from '../later-texts.js';
import css from './OtpField.module.css';

interface OtpFieldProps<Name extends string> {
  readonly name: NoInfer<Name>;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly length?: number;
  readonly disabled?: boolean;
  readonly autoFocus?: boolean;
  /** Error of the last attempt. The digits are then cleared for the next one. */
  readonly error?: unknown;
}

/** The digits of a one-time code. Takes pasted digits with spaces, and submits its form with the last one. */
export function OtpField<Name extends string = never>({
  name,
  label,
  hint,
  length = 6,
  disabled,
  autoFocus = false,
  error = null,
}: OtpFieldProps<Name>): ReactNode {
  const attempt = useAttempt(error);
  return (
    <Field<Name> {...{ name, label, hint }}>
      <Base.Root key={attempt} className={css.digits} length={length} disabled={disabled} autoSubmit required>
        {Array.from({ length }, (_, index) => (
          <Base.Input
            key={index}
            className={css.digit}
            aria-label={index === 0 ? undefined : t('digit', { index: index + 1, count: length })}
            autoFocus={(autoFocus || attempt > 0) && index === 0}
          />
        ))}
      </Base.Root>
    </Field>
  );
}

/** Counts the attempts that failed. */
function useAttempt(error: unknown): number {
  const [{ last, count }, setAttempt] = useState({ last: error, count: 0 });
  if (error === last) return count;
  const next = { last: error, count: error === null ? count : count + 1 };
  setAttempt(next);
  return next.count;
}
