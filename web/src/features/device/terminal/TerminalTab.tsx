import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';

import { useSession } from '../../../access/session.js';
import { hasRoom, MAXIMUM_SESSIONS, useSessions } from '../../../live/sessions/sessions.js';
import type { TerminalSession } from '../../../live/sessions/terminal/terminal-session.js';
import { currentTerminals, openTerminal, popOut, restoreTerminals } from '../../../live/sessions/terminal/terminals.js';
import { t } from '../../../live/sessions/terminal/texts.js';
import { Button } from '../../../ui/button/Button.js';
import { EmptyState } from '../../../ui/states/EmptyState.js';
import { Forbidden } from '../../../ui/states/ErrorState.js';
import { toastProblem } from '../../../ui/toast/toasts.js';
import { missingOnDevice } from '../../../problem/missing.js';
import { useCurrentDevice } from '../current-device.js';
import { DeviceOffline } from '../frame/DeviceOffline.js';
import { DevicePanel } from '../frame/DevicePanel.js';
import { TerminalAway } from './TerminalAway.js';
import { TerminalPanel } from './TerminalPanel.js';
import { TerminalSwitcher } from './TerminalSwitcher.js';

interface TerminalTabProps {
  /** The number in the address; without one the first terminal is shown. */
  readonly number?: number;
}

/** The terminals of the device. The first opens by itself. */
export function TerminalTab({ number }: TerminalTabProps): ReactNode {
  const { device, can } = useCurrentDevice();
  useSessions();
  const problem = missingOnDevice('device.terminal.use', device.id);
  return (
    <DevicePanel title={t('terminal')} fill flush={currentTerminals(device.id).length > 0}>
      {can('device.terminal.use') ? <Terminals number={number} /> : <Forbidden problem={problem} />}
    </DevicePanel>
  );
}

function Terminals({ number }: TerminalTabProps): ReactNode {
  const { device, name } = useCurrentDevice();
  const { user } = useSession();
  const navigate = useNavigate();
  const [isRestored, setRestored] = useState(false);
  const [hasBeenOnline, setBeenOnline] = useState(device.isOnline);
  if (device.isOnline && !hasBeenOnline) setBeenOnline(true);
  useSessions();
  const terminals = currentTerminals(device.id).sort((a, b) => a.number - b.number);
  const shown = terminals.find((terminal) => terminal.number === number) ?? terminals.at(0);

  const show = (terminal: TerminalSession | undefined): void =>
    void navigate({
      to: '/devices/$deviceId/terminal',
      params: { deviceId: device.id },
      search: { terminal: terminal?.number },
      replace: true,
    });
  const open = (): void => {
    const terminal = openTerminal(device.id, name);
    if (terminal === null) toastProblem(t('no-room', { count: MAXIMUM_SESSIONS }));
    else show(terminal);
  };

  useEffect(() => {
    let isShown = true;
    void restoreTerminals(user.id).then(() => {
      if (!isShown) return;
      setRestored(true);
      // A user who opens this page wants a terminal.
      if (hasBeenOnline && currentTerminals(device.id).length === 0) openTerminal(device.id, name);
    });
    return () => {
      isShown = false;
    };
    // Once for the page: a terminal that was ended on purpose does not come back.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [device.id, user.id, hasBeenOnline]);

  if (shown !== undefined) {
    const heading = <TerminalSwitcher terminal={shown} terminals={terminals} onShow={show} onNew={open} />;
    if (shown.connection.kind === 'away') return <TerminalAway terminal={shown} heading={heading} />;
    return (
      <TerminalPanel
        key={shown.id}
        terminal={shown}
        heading={heading}
        onPopOut={() => {
          if (!popOut(shown)) toastProblem(t('pop-out-blocked'));
        }}
        onEnded={() => show(currentTerminals(device.id).at(-1))}
      />
    );
  }
  if (!device.isOnline) return <DeviceOffline />;
  if (!isRestored) return null;
  return (
    <EmptyState
      title={t('ended')}
      actions={
        <Button look="primary" onClick={open}>
          {t('new')}
        </Button>
      }
    >
      {hasRoom() ? t('ended-text') : t('no-room', { count: MAXIMUM_SESSIONS })}
    </EmptyState>
  );
}
