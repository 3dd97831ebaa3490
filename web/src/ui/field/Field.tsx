import { Field as Base } from '@base-ui/react/field';
import { Eye, EyeOff } from 'lucide';
import { type ComponentPropsWithRef, type ReactNode, useState } from 'react';

import { IconButton } from '../button/Button.js';
import { classes } from '../classes.js';
import { t } from '../later-texts.js';
import css from './Field.module.css';
import { FieldError, type Limits } from './FieldError.js';

interface FieldProps<Name extends string> {
  /** Name in the values of the form and in the server's `errors`; none for a field that no form sends. */
  readonly name?: NoInfer<Name>;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** The label is read aloud only: for a field whose place explains it. */
  readonly hideLabel?: boolean;
  readonly className?: string;
}

/** The label, hint and error of a control. The form gives the error: see Form. */
export function Field<Name extends string = never>({
  name,
  label,
  hint,
  hideLabel,
  className,
  limits,
  children,
}: FieldProps<Name> & { readonly limits?: Limits; readonly children: ReactNode }): ReactNode {
  return (
    <Base.Root name={name} className={classes(css.field, className)}>
      <Base.Label className={hideLabel === true ? 'visually-hidden' : css.label}>{label}</Base.Label>
      {children}
      {hint !== undefined && <Base.Description className={css.hint}>{hint}</Base.Description>}
      <FieldError limits={limits} className={css.error} />
    </Base.Root>
  );
}

type TextFieldProps<Name extends string> = FieldProps<Name> &
  Omit<ComponentPropsWithRef<'input'>, keyof FieldProps<Name> | 'value' | 'defaultValue' | 'children'> & {
    readonly value?: string;
    readonly defaultValue?: string;
  };

/** A line of text: also numbers, e-mail addresses and searches by `type`. */
export function TextField<Name extends string = never>({
  name,
  label,
  hint,
  hideLabel,
  className,
  ...input
}: TextFieldProps<Name>): ReactNode {
  return (
    <Field<Name> {...{ name, label, hint, hideLabel, className }} limits={input}>
      <Base.Control className={css.input} {...input} />
    </Field>
  );
}

type TextAreaProps<Name extends string> = FieldProps<Name> & Omit<ComponentPropsWithRef<'textarea'>, keyof FieldProps<Name>>;

/** Several lines of text. */
export function TextArea<Name extends string = never>({
  name,
  label,
  hint,
  hideLabel,
  className,
  ...area
}: TextAreaProps<Name>): ReactNode {
  return (
    <Field<Name> {...{ name, label, hint, hideLabel, className }}>
      <Base.Control className={css.input} render={<textarea {...area} />} />
    </Field>
  );
}

/** A password, which can be shown while it is typed. */
export function PasswordField<Name extends string = never>({
  name,
  label,
  hint,
  hideLabel,
  className,
  ...input
}: TextFieldProps<Name>): ReactNode {
  const [shown, setShown] = useState(false);
  return (
    <Field<Name> {...{ name, label, hint, hideLabel, className }} limits={input}>
      <div className={css.withEnd}>
        <Base.Control className={css.input} {...input} type={shown ? 'text' : 'password'} />
        <IconButton
          className={css.end}
          icon={shown ? EyeOff : Eye}
          label={shown ? t('hide-password') : t('show-password')}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        />
      </div>
    </Field>
  );
}
