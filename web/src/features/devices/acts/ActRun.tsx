import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';

import { devicesChanged } from '../../../api/devices/device-mutations.js';
import { formatNumber } from '../../../i18n/format.js';
import { Confirm } from '../../../ui/confirm/Confirm.js';
import { ConfirmByName } from '../../../ui/confirm/ConfirmByName.js';
import { toast } from '../../../ui/toast/toasts.js';
import { type Act, type Kind, type PlacingKind, questionOf, type Target } from './act.js';
import { Choice } from './Choice.js';
import { type Outcome, retried } from './outcomes.js';
import { Outcomes } from './Outcomes.js';
import { actOnAll } from './run.js';
import { t } from './texts.js';

/** An action that the user wants to take on devices. */
export interface Wish {
  readonly kind: Kind;
  readonly targets: readonly Target[];
}

interface ActRunProps {
  readonly wish: Wish;
  /** It is over, or was given up before it began. */
  readonly onOver: (end: 'done' | 'given-up') => void;
}

/** Carries out a wish: asks the necessary questions, acts, and shows the result for each device. */
export function ActRun({ wish, onOver }: ActRunProps): ReactNode {
  const { kind, targets } = wish;
  const question = questionOf(kind, targets.length);
  const [act, setAct] = useState<Act | null>(question === 'none' ? ({ kind } as Act) : null);
  if (act !== null) return <Run act={act} targets={targets} onOver={() => onOver('done')} />;
  const giveUp = (): void => onOver('given-up');
  if (question === 'choice') return <Choice kind={kind as PlacingKind} count={targets.length} onChosen={setAct} onClose={giveUp} />;
  const name = targets.length === 1 ? targets[0].name : formatNumber(targets.length);
  const texts = {
    open: true,
    onClose: giveUp,
    title: targets.length === 1 ? t(`ask-one-${kind as Asked}`, { name }) : t(`ask-${kind as Asked}`, { count: targets.length }),
    action: t(kind),
    onConfirm: () => setAct({ kind } as Act),
    children: t(`ask-${kind as Asked}-text`),
  };
  return question === 'typed' ? <ConfirmByName {...texts} name={name} /> : <Confirm {...texts} look="danger" />;
}

type Asked = 'restart' | 'shutdown' | 'uninstall' | 'delete';

interface RunProps {
  readonly act: Act;
  readonly targets: readonly Target[];
  readonly onOver: () => void;
}

function Run({ act, targets, onOver }: RunProps): ReactNode {
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const [isOver, setOver] = useState(false);
  const given = useRef(new AbortController());
  const start = useCallback(
    async (on: readonly Target[], before: readonly Outcome[]): Promise<void> => {
      const { signal } = (given.current = new AbortController());
      setOver(false);
      setOutcomes(before);
      await actOnAll(on, act, (outcome) => setOutcomes((known) => [...known, outcome]), signal);
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
