import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';

import { Button } from '../../../ui/button/Button.js';
import { Dialog } from '../../../ui/dialog/Dialog.js';
import { FormActions } from '../../../ui/form/FormActions.js';
import { ErrorState } from '../../../ui/states/ErrorState.js';
import type { Target } from './act.js';
import css from './Outcomes.module.css';
import { type AllFound, readAll } from './targets.js';
import { t } from './texts.js';

interface ReadTargetsProps {
  readonly all: AllFound;
  readonly title: string;
  readonly onRead: (targets: readonly Target[]) => void;
  readonly onClose: () => void;
}

/** Reads all devices that a search finds, and shows how far it has come. */
export function ReadTargets({ all, title, onRead, onClose }: ReadTargetsProps): ReactNode {
  const [count, setCount] = useState(0);
  const [attempt, setAttempt] = useState(0);
  const [error, setError] = useState<unknown>(null);
  const finish = useEffectEvent(onRead);
  useEffect(() => {
    const reading = new AbortController();
    readAll(all, setCount, reading.signal).then(
      (targets) => !reading.signal.aborted && finish(targets),
      (problem: unknown) => !reading.signal.aborted && setError(problem),
    );
    return () => reading.abort();
  }, [all, attempt]);
  const retry = (): void => {
    setError(null);
    setAttempt(attempt + 1);
  };
  return (
    <Dialog open onClose={onClose} title={title} keepOnOutsideClick>
      {error === null ? (
        <>
          <progress className={css.progress} max={all.count} value={count} aria-label={title} />
          <p aria-live="polite">{t('reading', { done: count, count: all.count })}</p>
        </>
      ) : (
        <ErrorState error={error} onRetry={retry} />
      )}
      <FormActions>
        <Button onClick={onClose} data-initial-focus>
          {t('cancel')}
        </Button>
      </FormActions>
    </Dialog>
  );
}
