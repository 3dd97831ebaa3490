import { ClipboardCopy, ClipboardPaste, Eye, Keyboard, Maximize, Scaling, X } from 'lucide';
import type { ReactNode } from 'react';

import type { ScreenSession } from '../../../live/sessions/screen/screen-session.js';
import { t } from '../../../live/sessions/screen/texts.js';
import { SessionSlot } from '../../../live/sessions/SessionSlot.js';
import { Banner } from '../../../ui/banner/Banner.js';
import { Button, IconButton } from '../../../ui/button/Button.js';
import { classes } from '../../../ui/classes.js';
import { copyText } from '../../../ui/copy/copy-text.js';
import { describeProblem } from '../../../ui/problem-text.js';
import { ErrorState } from '../../../ui/states/ErrorState.js';
import { toast, toastProblem } from '../../../ui/toast/toasts.js';
import { useCurrentDevice } from '../current-device.js';
import { toggleFullScreen, useIsPageFull } from '../session-frame/full-screen.js';
import frame from '../session-frame/SessionFrame.module.css';
import { CredentialsForm } from './CredentialsForm.js';
import css from './ScreenPanel.module.css';

/** A screen with its tools. Its picture and its connection belong to the session and outlive this panel. */
export function ScreenPanel({ screen }: { readonly screen: ScreenSession }): ReactNode {
  const { can } = useCurrentDevice();
  const isFull = useIsPageFull();
  const { connection, deviceClipboard } = screen;
  const isOpen = connection.kind === 'open';

  const take = (): void => {
    if (deviceClipboard === null) toast(t('clipboard-empty'));
    else void copyText(deviceClipboard, t('clipboard-taken'));
  };
  const send = (): void => {
    navigator.clipboard.readText().then(
      (text) => {
        screen.sendClipboard(text);
        toast(t('clipboard-sent'));
      },
      () => toastProblem(t('clipboard-failed')),
    );
  };
  return (
    <div className={classes(frame.panel, isFull && frame.whole)}>
      <div className={frame.bar}>
        <span className={css.title}>{t('screen-of', { name: screen.deviceName })}</span>
        <div className={classes(frame.tools, css.tools)} role="toolbar" aria-label={t('tools')}>
          <IconButton icon={Scaling} label={t('fit')} aria-pressed={screen.isFitted} small onClick={() => screen.toggleFit()} />
          <IconButton icon={Eye} label={t('view-only')} aria-pressed={screen.isViewOnly} small onClick={() => screen.toggleViewOnly()} />
          {can('device.ctrl-alt-del.send') && (
            <IconButton
              icon={Keyboard}
              label={t('ctrl-alt-del')}
              small
              disabled={!isOpen || screen.isViewOnly}
              onClick={() => screen.pressCtrlAltDel()}
            />
          )}
          {can('device.clipboard.read') && (
            <IconButton icon={ClipboardCopy} label={t('take-clipboard')} small disabled={!isOpen} onClick={take} />
          )}
          {can('device.clipboard.write') && (
            <IconButton icon={ClipboardPaste} label={t('send-clipboard')} small disabled={!isOpen || screen.isViewOnly} onClick={send} />
          )}
          <IconButton icon={Maximize} label={t('full-screen')} small onClick={() => void toggleFullScreen().then(() => screen.focus())} />
          <IconButton icon={X} label={t('end')} small onClick={screen.end} />
        </div>
      </div>
      {connection.kind === 'opening' && <Banner>{t('opening')}</Banner>}
      {connection.kind === 'waiting' && <Banner look="warn">{t('attempt', { attempt: connection.attempt, most: connection.most })}</Banner>}
      {connection.kind === 'offline' && <Banner look="warn">{t('device-offline')}</Banner>}
      {connection.kind === 'asking' && <CredentialsForm types={connection.types} onSignIn={(credentials) => screen.signIn(credentials)} />}
      {connection.kind === 'failed' &&
        (connection.problem.status === 403 ? (
          <ErrorState error={connection.problem} />
        ) : (
          <Banner
            look="bad"
            actions={
              <Button look="quiet" onClick={() => void screen.start()}>
                {t('retry')}
              </Button>
            }
          >
            {describeProblem(connection.problem)}
          </Banner>
        ))}
      <SessionSlot session={screen} className={classes(frame.slot, (connection.kind === 'asking' || !screen.hasPicture) && css.hidden)} />
    </div>
  );
}
