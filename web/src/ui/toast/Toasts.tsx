import { CircleX, X } from 'lucide';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

import { loadPermissionNames } from '../../i18n/loaded-permission-names.js';
import { Button, IconButton } from '../button/Button.js';
import { classes } from '../classes.js';
import { Icon } from '../icon/Icon.js';
import { WhyLink } from '../states/WhyLink.js';
import { t } from '../later-texts.js';
import css from './Toasts.module.css';
import { dismissToast, type Toast, toasts as shown } from './toasts.js';

/** Place of the toasts; stands once, within the router. Completed acts are read aloud in turn, failures at once. */
export function Toasts(): ReactNode {
  const toasts = shown.useValue();
  const region = useRef<HTMLElement>(null);
  const [isOver, setOver] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const isPaused = isOver || hasFocus;
  useEffect(() => {
    // A toast that is closed takes the focus along, of which no event tells.
    if (region.current?.contains(document.activeElement) !== true) setFocus(false);
  }, [toasts]);
  // Refusals of the hub come without a request that would load them.
  useEffect(() => void loadPermissionNames(), []);
  // Beside the dialogs rather than below them.
  return createPortal(
    // Toasts wait while the pointer or the focus is among them.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={region}
      className={css.region}
      aria-label={t('notifications')}
      data-toasts
      onPointerEnter={() => setOver(true)}
      onPointerLeave={() => setOver(false)}
      onFocus={() => setFocus(true)}
      onBlur={() => setFocus(false)}
    >
      <div className={css.list} aria-live="assertive">
        {toasts
          .filter(({ look }) => look === 'bad')
          .map((toast) => (
            <Card key={toast.id} toast={toast} isPaused={isPaused} />
          ))}
      </div>
      <div className={css.list} aria-live="polite">
        {toasts
          .filter(({ look }) => look === 'ok')
          .map((toast) => (
            <Card key={toast.id} toast={toast} isPaused={isPaused} />
          ))}
      </div>
    </section>,
    document.body,
  );
}

function Card({ toast, isPaused }: { readonly toast: Toast; readonly isPaused: boolean }): ReactNode {
  const { id, message, look, action, error, duration } = toast;
  useEffect(() => {
    if (duration === null || isPaused) return undefined;
    const timer = setTimeout(() => dismissToast(id), duration);
    return () => clearTimeout(timer);
  }, [id, duration, isPaused]);
  return (
    <div className={classes(css.toast, css[look])}>
      {look === 'bad' && <Icon of={CircleX} />}
      <div className={css.message}>
        {message} {look === 'bad' && <WhyLink error={error} />}
      </div>
      {action !== undefined && (
        <Button
          look="quiet"
          onClick={() => {
            dismissToast(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton icon={X} label={t('close')} onClick={() => dismissToast(id)} />
    </div>
  );
}
