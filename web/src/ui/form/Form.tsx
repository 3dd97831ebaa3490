import { Form as Base } from '@base-ui/react/form';
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';

import { fieldErrors } from '../../problem/field-errors.js';
import { Banner } from '../banner/Banner.js';
import { classes } from '../classes.js';
import { ProblemText } from '../states/ProblemText.js';
import { WhyLink } from '../states/WhyLink.js';
import css from './Form.module.css';

/** Entered values by the names of the fields: texts only, as files are sent in another way. */
export type FormValues<Name extends string> = Partial<Record<Name, string>>;

/** The entered values of a form; of a name that occurs more than once, the last. */
export function valuesIn<Name extends string>(form: HTMLFormElement): FormValues<Name> {
  const entries = [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  // The fields in the form have its names: each takes their type.
  return Object.fromEntries(entries) as FormValues<Name>;
}

interface FormProps<Name extends string> {
  /** Error of the last attempt. Sentences about fields appear beside them, the rest above the form. */
  readonly error?: unknown;
  /** Gets the values by name, as `valuesIn` returns them. */
  readonly onSubmit: (values: FormValues<Name>) => void;
  readonly className?: string;
  readonly children: ReactNode;
  readonly id?: string;
}

/** A form whose errors come from the service. Its fields take the type of its names as well: `<Form<Name>>`, `<TextField<Name> name=…>`. */
export function Form<Name extends string = never>({ error, onSubmit, className, children, id }: FormProps<Name>): ReactNode {
  const errors = useMemo(() => fieldErrors(error), [error]);
  const form = useRef<HTMLFormElement>(null);
  const [unplaced, setUnplaced] = useState<readonly string[]>([]);
  const isAboutNoField = error !== undefined && error !== null && Object.keys(errors).length === 0;
  // Errors of fields that the form does not have are shown above it: otherwise the user would see no reason.
  useLayoutEffect(() => {
    const names = Object.keys(errors).filter((name) => form.current?.elements.namedItem(name) === null);
    setUnplaced(names.flatMap((name) => errors[name]));
  }, [errors]);
  return (
    <Base
      ref={form}
      id={id}
      className={classes(css.form, className)}
      errors={errors}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(valuesIn<Name>(event.currentTarget));
      }}
    >
      {isAboutNoField && (
        <Banner look="bad">
          <ProblemText error={error} /> <WhyLink error={error} />
        </Banner>
      )}
      {unplaced.length > 0 && (
        <Banner look="bad">
          {unplaced.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Banner>
      )}
      {children}
    </Base>
  );
}
