import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';

import { devicesChanged } from '../../../api/devices/device-mutations.js';
import { toast, toastProblem } from '../../../ui/toast/toasts.js';
import { type Act, type Kind, type PlacingKind, questionOf, type Target } from './act.js';
import { Choice } from './Choice.js';
import { type Asked, Question } from './Question.js';
import { ReadTargets } from './ReadTargets.js';
import { type Outcome, retried } from './outcomes.js';
import { Outcomes } from './Outcomes.js';
import { actOnAll } from './run.js';
import type { AllFound } from './targets.js';
import { t } from './texts.js';

/** An action that the user wants to take on devices. */
export interface Wish {
  /** Tells it from others that are carried out at the same time. */
  readonly id: string;
  readonly kind: Kind;
  readonly targets: readonly Target[] | AllFound;
}

interface ActRunProps {
  readonly wish: Wish;
  /** It is over, or was given up before it began. */
  readonly onOver: (end: 'done' | 'given-up') => void;
}

/** Carries out a wish: finds the devices, asks the necessary questions, acts, and shows the result for each device. */
export function ActRun({ wish: { kind, targets }, onOver }: ActRunProps): ReactNode {
  const [read, setRead] = useState<readonly Target[] | null>(null);
  const given = 'search' in targets ? read : targets;
  if (given === null && 'search' in targets) {
    const take = (found: readonly Target[]): void => {
      if (found.length > 0) return setRead(found);
      // They are gone, or match no longer.
      toastProblem(t('none-left'));
      void devicesChanged();
      onOver('done');
    };
    return <ReadTargets all={targets} title={t(kind)} onRead={take} onClose={() => onOver('given-up')} />;
  }
  return given !== null && <OnTargets kind={kind} targets={given} onOver={onOver} />;
}

interface OnTargetsProps {
  readonly kind: Kind;
  readonly targets: readonly Target[];
  readonly onOver: ActRunProps['onOver'];
}

/** Asks, and then acts. */
function OnTargets({ kind, targets, onOver }: OnTargetsProps): ReactNode {
  const question = questionOf(kind, targets.length);
  const [run, setRun] = useState<{ readonly act: Act; readonly targets: readonly Target[] } | null>(
    question === 'none' ? { act: { kind } as Act, targets } : null,
  );
  if (run !== null) return <Run {...run} onOver={() => onOver('done')} />;
  const giveUp = (): void => onOver('given-up');
  if (question === 'choice') {
    const choose = (act: Act): void => setRun({ act, targets });
    return <Choice kind={kind as PlacingKind} count={targets.length} onChosen={choose} onClose={giveUp} />;
  }
  const confirm = (confirmed: readonly Target[]): void => setRun({ act: { kind } as Act, targets: confirmed });
  return <Question kind={kind as Asked} targets={targets} onConfirm={confirm} onClose={giveUp} />;
}

interface RunProps {
  readonly act: Act;
  readonly targets: readonly Target[];
  readonly onOver: () => void;
}

/** Results come many at a time: the list of them is drawn at most so often. */
const DRAWN_EVERY_MS = 100;

function Run({ act, targets, onOver }: RunProps): ReactNode {
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const [isOver, setOver] = useState(false);
  const given = useRef(new AbortController());
  const start = useCallback(
    async (on: readonly Target[], before: readonly Outcome[]): Promise<void> => {
      const { signal } = (given.current = new AbortController());
      setOver(false);
      setOutcomes(before);
      const known = [...before];
      const draw = setInterval(() => setOutcomes([...known]), DRAWN_EVERY_MS);
      await actOnAll(on, act, (outcome) => known.push(outcome), signal).finally(() => clearInterval(draw));
      setOutcomes(known);
      setOver(true);
      await devicesChanged();
    },
    [act],
  );
  // The act begins once, with the first rendering.
  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    void start(targets, []);
  }, [start, targets]);

  // One device needs no list: a sentence says that it worked.
  const isOneDone = isOver && targets.length === 1 && outcomes[0]?.kind === 'done';
  useEffect(() => {
    if (!isOneDone) return;
    toast(t(`${act.kind}-done`, { name: targets[0].name, place: 'name' in act ? act.name : '' }));
    onOver();
  }, [isOneDone, act, targets, onOver]);
  if (targets.length === 1 && (!isOver || isOneDone)) return null;

  const again = new Set(retried(outcomes));
  return (
    <Outcomes
      title={t(isOver ? 'over' : 'running', { act: t(act.kind) })}
      targets={targets}
      outcomes={outcomes}
      isOver={isOver}
      retriedCount={again.size}
      onRetry={() =>
        void start(
          targets.filter(({ id }) => again.has(id)),
          outcomes.filter(({ id }) => !again.has(id)),
        )
      }
      onStop={() => given.current.abort()}
      onClose={onOver}
    />
  );
}
