import { OTPField as Base } from '@base-ui/react/otp-field';
import type { ReactNode } from 'react';

import { Field } from '../field/Field.js';
import { t } from '../texts.js';
import css from './OtpField.module.css';

interface OtpFieldProps {
  readonly name: string;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly length?: number;
  readonly disabled?: boolean;
  readonly autoFocus?: boolean;
}

/** The digits of a one-time code. Takes pasted digits with spaces, and submits its form with the last one. */
export function OtpField({ name, label, hint, length = 6, disabled, autoFocus }: OtpFieldProps): ReactNode {
  return (
    <Field {...{ name, label, hint }}>
      <Base.Root className={css.digits} length={length} disabled={disabled} autoSubmit required>
        {Array.from({ length }, (_, index) => (
          <Base.Input
            key={index}
            className={css.digit}
            aria-label={index === 0 ? undefined : t('digit', { index: index + 1, count: length })}
            autoFocus={autoFocus === true && index === 0}
          />
        ))}
      </Base.Root>
    </Field>
  );
}
