import { Form as Base } from '@base-ui/react/form';
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';

import { fieldErrors } from '../../problem/field-errors.js';
import { Banner } from '../banner/Banner.js';
import { classes } from '../classes.js';
import { ProblemText } from '../states/ProblemText.js';
import { WhyLink } from '../states/WhyLink.js';
import css from './Form.module.css';
import type { FieldName } from './field-name.js';

/** Entered values, by name: texts only, as files are sent in another way. */
export type FormValues = Partial<Record<FieldName, string>>;

interface FormProps {
  /** Error of the last attempt. Sentences about fields appear beside them, the rest above the form. */
  readonly error?: unknown;
  /** Gets the values by name; of a name that occurs more than once, the last. */
  readonly onSubmit: (values: FormValues) => void;
  readonly className?: string;
  readonly children: ReactNode;
  readonly id?: string;
}

/** A form whose errors come from the service. */
export function Form({ error, onSubmit, className, children, id }: FormProps): ReactNode {
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
        const entries = [...new FormData(event.currentTarget)];
        onSubmit(Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')));
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
