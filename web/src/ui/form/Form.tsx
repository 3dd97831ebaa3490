import { Form as Base } from '@base-ui/react/form';
import { type ReactNode, useMemo } from 'react';

import { fieldErrors, problemOf } from '../../api/problem.js';
import { Banner } from '../banner/Banner.js';
import { classes } from '../classes.js';
import { describeProblem } from '../problem-text.js';
import css from './Form.module.css';

/** The values of a form's fields by name: a checked box is `on`, one that is not is missing. */
export type FormValues = Readonly<Record<string, string>>;

/** The values of a form; of a name that occurs more than once, the last. */
export const valuesOf = (form: HTMLFormElement): FormValues =>
  Object.fromEntries([...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

interface FormProps {
  /** What the last attempt failed with. Sentences about fields appear beside them, the rest above the form. */
  readonly error?: unknown;
  readonly onSubmit: (values: FormValues) => void;
  readonly className?: string;
  readonly children: ReactNode;
  readonly id?: string;
}

/** A form whose errors come from the service. */
export function Form({ error, onSubmit, className, children, id }: FormProps): ReactNode {
  const errors = useMemo(() => fieldErrors(error), [error]);
  const hasFieldErrors = Object.keys(errors).length > 0;
  return (
    <Base
      id={id}
      className={classes(css.form, className)}
      errors={errors}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(valuesOf(event.currentTarget));
      }}
    >
      {error !== undefined && error !== null && !hasFieldErrors && <Banner look="bad">{describeProblem(problemOf(error))}</Banner>}
      {children}
    </Base>
  );
}

/** The buttons at the end of a form. */
export function FormActions({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className={css.actions}>{children}</div>;
}
