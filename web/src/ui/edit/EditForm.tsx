import { useMutation } from '@tanstack/react-query';
import { Fragment, lazy, type ReactNode, Suspense, useRef, useState } from 'react';

import type { Versioned } from '../../state/versioned.js';
import { Button } from '../button/Button.js';
import { useFailureAfterClose, useStillOpen } from '../dialog/after-close.js';
import { Form, type FormValues, valuesIn } from '../form/Form.js';
import { FormActions } from '../form/FormActions.js';
import { Gone } from '../states/Gone.js';
import { t } from '../later-texts.js';
import { AskToLeave } from '../leave/AskToLeave.js';
import { isChanged } from './compare.js';
import css from './EditForm.module.css';
import { type Changed, type Editable, saveOver } from './save-over.js';
import { saving } from './saves-under-way.js';
import { t as edited } from './texts.js';

const ChangedNotice = lazy(async () => ({ default: (await import('./ChangedNotice.js')).ChangedNotice }));

export interface EditFormProps<Name extends string> {
  /** Name of the thing. */
  readonly name: string;
  readonly of: Editable<Name>;
  /** State that was read when the form opened. */
  readonly start: Versioned<FormValues<Name>>;
  readonly labelOf: (field: string) => string;
  /** Display text for the value of a field, where people know it by another text. */
  readonly textOf?: (field: string, value: string) => string;
  /** All values, made of those that the browser sends: it leaves out boxes that are not checked. */
  readonly typedOf?: (sent: FormValues<Name>) => FormValues<Name>;
  /** Text of the button that saves. */
  readonly action: string;
  readonly look?: 'primary' | 'plain';
  readonly className?: string;
  /** Leaves the form, where it can be left. */
  readonly onCancel?: () => void;
  /** Text of that button; "Cancel" without it. */
  readonly cancel?: string;
  /** Decides about a save before it is sent: calls `send` at once, or when the user has confirmed. */
  readonly confirm?: (save: { readonly before: FormValues<Name>; readonly typed: FormValues<Name> }, send: () => void) => void;
  /** Follows a save, even if the form was left before it was done. */
  readonly onSaved?: (saved: { readonly before: FormValues<Name>; readonly now: Versioned<FormValues<Name>> }) => void;
  /** Leaves the form after a save; without it the form stays open. */
  readonly onFinished?: () => void;
  /** The fields, with the values that they start with. */
  readonly children: (values: FormValues<NoInfer<Name>>) => ReactNode;
}

interface Shown<Name extends string> {
  /** Stored state, as far as the form knows. */
  readonly stored: Versioned<FormValues<Name>>;
  /** Initial values of the fields. */
  readonly values: FormValues<Name>;
  /** Number of times that the fields were filled. */
  readonly filling: number;
  readonly changed: Changed<Name> | null;
}

interface Save<Name extends string> {
  readonly start: FormValues<Name>;
  readonly typed: FormValues<Name>;
  readonly known: Versioned<FormValues<Name>>;
}

/** A form that changes one thing, and notices when another editor was faster. It may stay open after it has saved. */
export function EditForm<Name extends string>(props: EditFormProps<Name>): ReactNode {
  const {
    name,
    of,
    start,
    labelOf,
    textOf,
    typedOf = (sent) => sent,
    action,
    look = 'primary',
    className,
    onCancel,
    cancel,
    confirm = (_, send) => send(),
    onSaved,
    onFinished,
    children,
  } = props;
  const [{ stored, values, filling, changed }, setShown] = useState<Shown<Name>>({
    stored: start,
    values: start.value,
    filling: 0,
    changed: null,
  });
  const fillWith = (filled: FormValues<Name>, known: Versioned<FormValues<Name>>): void =>
    setShown({ stored: known, values: filled, filling: filling + 1, changed: null });
  const isStillOpen = useStillOpen();
  const tellAfterClose = useFailureAfterClose(isStillOpen);
  const save = useMutation({
    mutationFn: (what: Save<Name>) => saving(() => saveOver(of, what.start, what.typed, what.known)),
    onSuccess(outcome, { start: before }) {
      if (outcome.kind !== 'saved') {
        if (outcome.kind === 'changed') setShown({ stored, values, filling, changed: outcome });
        tellAfterClose(edited(outcome.kind === 'changed' ? 'not-saved' : 'not-saved-gone', { name }));
        return;
      }
      // Fields that stay open keep their typed texts, unless another editor's changes were added to them.
      if (changed === null) setShown({ stored: outcome.now, values, filling, changed });
      else fillWith(outcome.now.value, outcome.now);
      onSaved?.({ before, now: outcome.now });
    },
    // The sentences about fields stand beside them.
    onError(error) {
      tellAfterClose(error);
      if (changed !== null) fillWith(changed.merged, changed.now);
    },
  });
  const area = useRef<HTMLDivElement>(null);
  const isUnsaved = (): boolean => {
    const form = area.current?.closest('form') ?? null;
    if (form === null || save.isPending) return false;
    const typed = typedOf(valuesIn<Name>(form));
    // The service may store a text in another form than it was typed in.
    const isSaved = save.isSuccess && save.data.kind === 'saved' && !isChanged(typed, save.variables.typed);
    return !isSaved && isChanged(typed, stored.value);
  };
  const run = (what: Save<Name>): void =>
    confirm({ before: what.known.value, typed: what.typed }, () =>
      save.mutate(what, { onSuccess: ({ kind }) => kind === 'saved' && isStillOpen() && onFinished?.() }),
    );
  if (save.data?.kind === 'gone') {
    return (
      <>
        <Gone />
        {onCancel !== undefined && (
          <FormActions>
            <Button onClick={onCancel}>{t('close')}</Button>
          </FormActions>
        )}
      </>
    );
  }
  return (
    <>
      <Form<Name>
        error={save.error}
        className={className}
        onSubmit={(sent) => {
          if (changed === null) run({ start: stored.value, typed: typedOf(sent), known: stored });
        }}
      >
        {changed !== null && (
          <Suspense>
            <ChangedNotice
              {...{ name, changed, labelOf, textOf, onCancel }}
              busy={save.isPending}
              onLoad={() => fillWith(changed.now.value, changed.now)}
              onSave={() => run({ start: changed.now.value, typed: changed.merged, known: changed.now })}
            />
          </Suspense>
        )}
        {/* The typed values stay there, for a save that is refused. */}
        <div ref={area} className={css.fields} hidden={changed !== null}>
          <Fragment key={filling}>{children(values)}</Fragment>
          <FormActions>
            {onCancel !== undefined && <Button onClick={onCancel}>{cancel ?? t('cancel')}</Button>}
            <Button type="submit" look={look} busy={save.isPending}>
              {action}
            </Button>
          </FormActions>
        </div>
      </Form>
      {/* Outside of the form: the button of the question would submit it as well. */}
      <AskToLeave name={name} isChanged={isUnsaved} />
    </>
  );
}
