import { type ReactNode, useState } from 'react';

import type { TerminalSession } from '../../../live/sessions/terminal/terminal-session.js';
import { takeBack } from '../../../live/sessions/terminal/terminals.js';
import { t } from '../../../live/sessions/terminal/texts.js';
import { Button } from '../../../ui/button/Button.js';
import { EmptyState } from '../../../ui/states/EmptyState.js';
import { toastProblem } from '../../../ui/toast/toasts.js';
import frame from '../session-frame/SessionFrame.module.css';
import css from './TerminalPanel.module.css';

interface TerminalAwayProps {
  readonly terminal: TerminalSession;
  readonly heading: ReactNode;
}

/** Shown on the page while another window has the terminal. */
export function TerminalAway({ terminal, heading }: TerminalAwayProps): ReactNode {
  const [isAsked, setAsked] = useState(false);
  const ask = async (): Promise<void> => {
    setAsked(true);
    if (!(await takeBack(terminal))) toastProblem(t('take-back-failed'));
    setAsked(false);
  };
  return (
    <>
      <div className={frame.bar}>{heading}</div>
      <div className={css.away}>
        <EmptyState
          title={t('away')}
          actions={
            <Button look="primary" busy={isAsked} onClick={() => void ask()}>
              {t('take-back')}
            </Button>
          }
        >
          {t('away-text')}
        </EmptyState>
      </div>
    </>
  );
}
