import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { Button } from '../../../ui/button/Button.js';
import { Dialog } from '../../../ui/dialog/Dialog.js';
import { FormActions } from '../../../ui/form/FormActions.js';
import type { Target } from './act.js';
import css from './Outcomes.module.css';
import { byAttention, type Outcome, tally } from './outcomes.js';
import { t } from './texts.js';

/** Devices in the list. With more of them, the numbers and the retry of the failed ones matter. */
const LISTED = 200;

interface OutcomesProps {
  readonly title: string;
  readonly targets: readonly Target[];
  readonly outcomes: readonly Outcome[];
  readonly isOver: boolean;
  /** Devices for which another attempt may help. */
  readonly retriedCount: number;
  readonly onRetry: () => void;
  readonly onStop: () => void;
  readonly onClose: () => void;
}

/** Results of an action: in numbers, and for each device. */
export function Outcomes({ title, targets, outcomes, isOver, retriedCount, onRetry, onStop, onClose }: OutcomesProps): ReactNode {
  const names = new Map(isOver ? targets.map(({ id, name }) => [id, name]) : []);
  const listed = isOver ? byAttention(outcomes).slice(0, LISTED) : [];
  return (
    <Dialog open onClose={isOver ? onClose : onStop} title={title} keepOnOutsideClick>
      <progress className={css.progress} max={targets.length} value={outcomes.length} aria-label={title} />
      <ul className={css.tally} aria-live="polite">
        {tally(outcomes).map(({ kind, reason, count }) => (
          <li key={`${kind} ${reason ?? ''}`}>
            {t(`count-${kind}`, { count })} {reason}
          </li>
        ))}
        {isOver && outcomes.length < targets.length && <li>{t('count-left', { count: targets.length - outcomes.length })}</li>}
      </ul>
      {isOver && (
        <ul className={css.devices} aria-label={t('each-device')}>
          {listed.map((outcome) => (
            <li key={outcome.id} className={css.device}>
              <Link to="/devices/$deviceId" params={{ deviceId: outcome.id }} className={css.name}>
                {names.get(outcome.id) ?? outcome.id}
              </Link>
              <span className={outcome.kind === 'done' ? 'muted' : css.bad}>{t(`end-${outcome.kind}`)}</span>
            </li>
          ))}
          {outcomes.length > LISTED && <li className="muted">{t('not-listed', { count: outcomes.length - LISTED })}</li>}
        </ul>
      )}
      <FormActions>
        {isOver && retriedCount > 0 && <Button onClick={onRetry}>{t('retry', { count: retriedCount })}</Button>}
        {isOver ? (
          <Button look="primary" onClick={onClose} data-initial-focus>
            {t('close')}
          </Button>
        ) : (
          <Button onClick={onStop}>{t('stop')}</Button>
        )}
      </FormActions>
    </Dialog>
  );
}
