import { useQuery } from '@tanstack/react-query';
import { ArrowRight, Check, Circle, X } from 'lucide';
import type { ReactNode } from 'react';

import { IconButton } from '../../ui/button/Button.js';
import { classes } from '../../ui/classes.js';
import { Icon } from '../../ui/icon/Icon.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import { toast } from '../../ui/toast/toasts.js';
import css from './Checklist.module.css';
import { keepProgress, progressQuery } from './queries.js';
import type { Progress } from './steps.js';
import { t } from './texts.js';
import { useSteps } from './useSteps.js';

/** Open first steps, for users who have begun them, until all are done or the user dismisses the list. */
export function Checklist(): ReactNode {
  const { data: progress } = useQuery(progressQuery);
  return progress === undefined || progress === null || progress.isDismissed ? null : <Card progress={progress} />;
}

function Card({ progress }: { readonly progress: Progress }): ReactNode {
  const { steps, doneIn } = useSteps();
  const done = doneIn(progress);
  if (done.length === steps.length) return null;
  const dismiss = (): void => {
    void keepProgress({ ...progress, isDismissed: true });
    toast(t('dismissed'), { undo: () => void keepProgress(progress) });
  };
  return (
    <section className={css.card} aria-labelledby="first-steps">
      <h2 id="first-steps" className={css.title}>
        {t('checklist')}
        <span className={css.count}>{t('checklist-count', { done: done.length, count: steps.length })}</span>
      </h2>
      <ul className={css.steps}>
        {steps.map((step) => {
          const isDone = done.includes(step);
          return (
            <li key={step} className={classes(css.step, isDone && css.done)}>
              <Icon of={isDone ? Check : Circle} label={isDone ? t('done') : t('to-do')} />
              {t(`${step}-title`)}
            </li>
          );
        })}
      </ul>
      <LinkButton to="/welcome" icon={ArrowRight}>
        {t('go-on')}
      </LinkButton>
      <IconButton icon={X} label={t('dismiss')} onClick={dismiss} />
    </section>
  );
}
