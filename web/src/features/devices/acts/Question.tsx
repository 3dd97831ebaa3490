import { type ReactNode, useState } from 'react';

import { formatNumber } from '../../../i18n/format.js';
import { Checkbox } from '../../../ui/checkbox/Checkbox.js';
import { Confirm } from '../../../ui/confirm/Confirm.js';
import { ConfirmByName } from '../../../ui/confirm/ConfirmByName.js';
import { actedOn, questionOf, type Target } from './act.js';
import { t } from './texts.js';

/** Acts that are confirmed. */
export type Asked = 'restart' | 'shutdown' | 'uninstall' | 'delete';

interface QuestionProps {
  readonly kind: Asked;
  readonly targets: readonly Target[];
  /** Gets the devices that the act is for. */
  readonly onConfirm: (targets: readonly Target[]) => void;
  readonly onClose: () => void;
}

/** Asks before an act: says how many of the devices are online, and leaves out the others unless the user includes them. */
export function Question({ kind, targets, onConfirm, onClose }: QuestionProps): ReactNode {
  const [withOffline, setWithOffline] = useState(false);
  const acted = actedOn(kind, targets, withOffline);
  const online = targets.filter(({ isOnline }) => isOnline).length;
  const offline = targets.length - online;
  const mayChoose = actedOn(kind, targets, false).length < targets.length;
  const isOne = targets.length === 1;
  const name = isOne ? targets[0].name : formatNumber(acted.length);
  const texts = {
    open: true,
    onClose,
    title: isOne ? t(`ask-one-${kind}`, { name }) : t(`ask-${kind}`, { count: acted.length }),
    action: t(kind),
    onConfirm: () => onConfirm(acted),
    children: (
      <div className="stack">
        <p>{t(`ask-${kind}-text`)}</p>
        {!isOne && <p>{t('presence', { online, offline })}</p>}
        {mayChoose && (
          <Checkbox
            label={t('with-offline', { count: offline })}
            hint={t('with-offline-hint')}
            checked={withOffline}
            onChange={({ currentTarget: { checked } }) => setWithOffline(checked)}
          />
        )}
      </div>
    ),
  };
  const isTyped = questionOf(kind, acted.length) === 'typed' || questionOf(kind, targets.length) === 'typed';
  return isTyped ? <ConfirmByName {...texts} name={name} /> : <Confirm {...texts} look="danger" />;
}
