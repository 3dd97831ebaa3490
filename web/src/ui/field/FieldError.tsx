import { Field as Base } from '@base-ui/react/field';
import type { ReactNode } from 'react';

import { t } from '../later-texts.js';

/** The rules of a control for its value, beyond being filled in. */
export interface Limits {
  readonly type?: string;
  readonly minLength?: number;
  readonly min?: number | string;
  readonly max?: number | string;
}

type Validity = Readonly<Record<'valueMissing' | 'typeMismatch' | 'tooShort' | 'rangeUnderflow' | 'rangeOverflow' | 'badInput', boolean>>;

/** The sentence about a value that the browser refuses; undefined for errors of the service, which bring their own. */
function sentenceOf(validity: Validity, { type, minLength, min, max }: Limits): string | undefined {
  if (validity.valueMissing) return t('field-missing');
  if (validity.typeMismatch) return t(type === 'email' ? 'field-not-email' : 'field-invalid');
  if (validity.tooShort) return t('field-short', { count: minLength ?? 1 });
  if (validity.rangeUnderflow) return t('field-small', { min: String(min) });
  if (validity.rangeOverflow) return t('field-large', { max: String(max) });
  return validity.badInput ? t('field-invalid') : undefined;
}

interface FieldErrorProps {
  readonly limits?: Limits;
  readonly className: string;
}

/** The error of a field, in words of the product: those of browsers differ, and follow the browser's language. */
export function FieldError({ limits = {}, className }: FieldErrorProps): ReactNode {
  return (
    <Base.Validity>
      {({ validity }) => {
        const sentence = sentenceOf(validity, limits);
        // With children, even undefined ones, the sentences of the service would not be shown.
        return sentence === undefined ? <Base.Error className={className} /> : <Base.Error className={className}>{sentence}</Base.Error>;
      }}
    </Base.Validity>
  );
}
