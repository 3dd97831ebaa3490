import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { Confirm } from '../confirm/Confirm.js';
import { t } from '../later-texts.js';
import { addLeaveQuestion } from './leave-questions.js';

/** A step to another place of the front end. */
interface Step {
  readonly current: { readonly pathname: string };
  readonly next: { readonly pathname: string };
}

type AskToLeaveProps = {
  /** Checks for changes that leaving would lose. */
  readonly isChanged: () => boolean;
  /** True for a step that leaves what was changed. By default each step to another page does; a change of search parameters does not. */
  readonly leaves?: (step: Step) => boolean;
} & (
  | {
      /** Name of what was changed. */
      readonly name: string;
    }
  | {
      /** Says what is not saved, where it has no name. */
      readonly children: ReactNode;
    }
);

/** Asks before changes that are not saved are left: by a link of the page, by signing out, and by the browser. */
export function AskToLeave({ isChanged, leaves = toAnotherPage, ...about }: AskToLeaveProps): ReactNode {
  const blocker = useBlocker({
    shouldBlockFn: (step) => isChanged() && leaves(step),
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  // Answers the question of a sign-out, while it is asked.
  const [answer, setAnswer] = useState<((isLeaving: boolean) => void) | null>(null);
  const isChangedNow = useRef(isChanged);
  useEffect(() => {
    isChangedNow.current = isChanged;
  });
  useEffect(
    () =>
      addLeaveQuestion(async () => {
        if (!isChangedNow.current()) return true;
        const isLeaving = await new Promise<boolean>((resolve) => setAnswer(() => resolve));
        setAnswer(null);
        return isLeaving;
      }),
    [],
  );
  const isAsking = blocker.status === 'blocked' || answer !== null;
  const decide = (isLeaving: boolean): void => {
    answer?.(isLeaving);
    if (isLeaving) blocker.proceed?.();
    else blocker.reset?.();
  };
  useEffect(() => {
    // A save that was under way has left nothing to ask about.
    if (isAsking && !isChanged()) decide(true);
  });
  return (
    <Confirm
      open={isAsking}
      onClose={() => decide(false)}
      title={t('leave-title')}
      action={t('leave')}
      look="danger"
      onConfirm={() => decide(true)}
    >
      {'name' in about ? t('leave-text', { name: about.name }) : about.children}
    </Confirm>
  );
}

function toAnotherPage({ current, next }: Step): boolean {
  return current.pathname !== next.pathname;
}
