import { type ReactNode, useEffect, useState } from 'react';

import { useSession } from '../../../access/session.js';
import { useSessions } from '../../../live/sessions/sessions.js';
import { currentTerminals, restoreTerminals } from '../../../live/sessions/terminal/terminals.js';
import { t } from '../../../live/sessions/terminal/texts.js';
import { LinkButton } from '../../../ui/link-button/LinkButton.js';
import { EmptyState } from '../../../ui/states/EmptyState.js';
import { useCurrentDevice } from '../current-device.js';
import { DevicePanel } from '../frame/DevicePanel.js';
import { TerminalPanel } from './TerminalPanel.js';
import css from './TerminalPanel.module.css';

/** One terminal in a window of its own, with nothing around it. */
export function TerminalWindow({ id }: { readonly id: string }): ReactNode {
  const { device, name } = useCurrentDevice();
  const { user } = useSession();
  const [isRestored, setRestored] = useState(false);
  useSessions();
  const terminal = currentTerminals(device.id).find((each) => each.id === id);
  useEffect(() => void restoreTerminals(user.id).then(() => setRestored(true)), [user.id]);

  if (terminal === undefined)
    return (
      <DevicePanel title={t('terminal')} fill>
        {isRestored && (
          <EmptyState
            title={<h1>{t('not-here')}</h1>}
            actions={
              <LinkButton to="/devices/$deviceId/terminal" params={{ deviceId: device.id }} look="primary">
                {t('to-device')}
              </LinkButton>
            }
          >
            {t('not-here-text')}
          </EmptyState>
        )}
      </DevicePanel>
    );
  return (
    <DevicePanel title={terminal.label} fill flush>
      <TerminalPanel
        terminal={terminal}
        heading={<h1 className={css.heading}>{t('window-title', { label: terminal.label, name })}</h1>}
        onEnded={() => window.close()}
      />
    </DevicePanel>
  );
}
