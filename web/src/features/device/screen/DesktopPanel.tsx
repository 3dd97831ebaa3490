import { type ReactNode, useEffect, useRef, useState } from 'react';

import { useSession } from '../../../access/session.js';
import { keyWordsOf } from '../../../keyboard/shortcuts.js';
import type { DesktopSession } from '../../../live/sessions/desktop/desktop-session.js';
import { t } from '../../../live/sessions/desktop/texts.js';
import { SessionSlot } from '../../../live/sessions/SessionSlot.js';
import { missingOnDevice } from '../../../problem/missing.js';
import { Banner } from '../../../ui/banner/Banner.js';
import { Button } from '../../../ui/button/Button.js';
import { classes } from '../../../ui/classes.js';
import { useMedia } from '../../../ui/media.js';
import { describeProblem } from '../../../ui/problem-text.js';
import { ErrorState } from '../../../ui/states/ErrorState.js';
import { WhyLink } from '../../../ui/states/WhyLink.js';
import { useCurrentDevice } from '../current-device.js';
import { useIsPageFull } from '../session-frame/full-screen.js';
import frame from '../session-frame/SessionFrame.module.css';
import { DesktopFigures } from './DesktopFigures.js';
import { DesktopTools } from './DesktopTools.js';
import { KeyBar } from './KeyBar.js';
import { IS_PHONE, useCover } from './phone-cover.js';
import { RecordingMark } from './RecordingMark.js';
import css from './ScreenPanel.module.css';
import { FileDrop } from './send-files/FileDrop.js';

const INTERACT = 'device.remote-control.interact';

interface DesktopPanelProps {
  readonly desktop: DesktopSession;
  /** True in a window of its own, which shows one display. */
  readonly isAlone?: boolean;
}

/** A desktop with its tools. Its picture and its connection belong to the session and outlive this panel. */
export function DesktopPanel({ desktop, isAlone = false }: DesktopPanelProps): ReactNode {
  const { device, can } = useCurrentDevice();
  const tools = useRef<HTMLDivElement>(null);
  const mayInteract = can(INTERACT);
  const isFull = useIsPageFull();
  const isPhone = useMedia(IS_PHONE);
  const [covers, setCovers] = useState(true);
  const [isSending, setSending] = useState(false);
  const { isShown: hasKeyboard } = desktop.surface.screenKeyboard;
  const isWhole = isFull || hasKeyboard || (isPhone && covers);
  const cover = useCover();
  const takesKeys = mayInteract && desktop.connection.kind === 'open' && !desktop.isViewOnly;
  const hasKeyBar = useMedia('(pointer: coarse)') && takesKeys;
  const { recorder } = desktop;
  const { recording } = recorder;
  useRights(desktop);
  useEffect(() => {
    desktop.onLeave = () => tools.current?.querySelector('button')?.focus();
    return () => {
      desktop.onLeave = null;
    };
  }, [desktop]);
  return (
    <div className={classes(frame.panel, isWhole && frame.whole)} style={isWhole && !isFull ? cover.style : undefined}>
      <div className={frame.bar} hidden={hasKeyboard && cover.isLow}>
        {isAlone ? (
          <h1 className={css.title}>{t('window-title', { display: desktop.shown?.name ?? desktop.label, name: desktop.deviceName })}</h1>
        ) : (
          <span className={css.title}>{t('title', { label: desktop.label, name: desktop.deviceName })}</span>
        )}
        {recording !== null && <RecordingMark {...{ recorder, recording }} />}
        <DesktopFigures desktop={desktop} />
        <DesktopTools
          {...{ desktop, tools, isAlone }}
          onSend={() => setSending(true)}
          cover={isPhone && !isAlone ? { covers, setCovers } : undefined}
        />
      </div>
      {!mayInteract && <Banner actions={<WhyLink error={missingOnDevice(INTERACT, device.id)} />}>{t('view-only-reason')}</Banner>}
      <DesktopNotice {...{ desktop, isAlone }} />
      <FileDrop desktop={desktop} isAsking={isSending} onAsked={() => setSending(false)}>
        <SessionSlot session={desktop} className={classes(frame.slot, !desktop.hasPicture && css.hidden)} />
      </FileDrop>
      {hasKeyBar && <KeyBar desktop={desktop} />}
      {/* An empty line keeps the picture where it is. */}
      {mayInteract && <p className={css.hint}>{takesKeys ? t('leave-hint', { keys: keyWordsOf('leave-terminal') }) : '\u00a0'}</p>}
    </div>
  );
}

/** Tells the desktop what the user may do with it. */
function useRights(desktop: DesktopSession): void {
  const { can } = useCurrentDevice();
  const { user } = useSession();
  const [interact, reads, writes] = [can(INTERACT), can('device.clipboard.read'), can('device.clipboard.write')];
  useEffect(() => desktop.allow({ interact, reads, writes }, user.id), [desktop, interact, reads, writes, user.id]);
}

/** State of the connection in words, unless the desktop is there. */
function DesktopNotice({ desktop, isAlone }: Required<DesktopPanelProps>): ReactNode {
  const { connection } = desktop;
  const again = (label: string): ReactNode => (
    <div className={css.again}>
      <Button look="quiet" onClick={() => void desktop.start()}>
        {label}
      </Button>
      <Button look="quiet" onClick={desktop.end}>
        {t(isAlone ? 'close-window' : 'choose')}
      </Button>
    </div>
  );
  switch (connection.kind) {
    case 'open':
      return null;
    case 'opening':
      return <Banner>{t('opening')}</Banner>;
    case 'joining':
      return <Banner>{t(desktop.remembered.asksFirst ? 'joining-asked' : 'joining')}</Banner>;
    case 'waiting':
      return <Banner look="warn">{t('attempt', { attempt: connection.attempt, most: connection.most })}</Banner>;
    case 'offline':
      return <Banner look="warn">{t('device-offline')}</Banner>;
    case 'ended':
      return (
        <Banner look="warn" actions={again(t('connect-again'))}>
          {t(`ended-${connection.reason}`)}
        </Banner>
      );
    case 'failed':
      if (connection.problem.status === 403) return <ErrorState error={connection.problem} />;
      return (
        <Banner look="bad" actions={again(t('retry'))}>
          {describeProblem(connection.problem)}
        </Banner>
      );
  }
}
