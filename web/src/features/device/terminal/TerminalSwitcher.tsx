import { Plus } from 'lucide';
import type { ReactNode } from 'react';

import { SessionDot } from '../../../live/sessions/SessionDot.js';
import type { TerminalSession } from '../../../live/sessions/terminal/terminal-session.js';
import { t } from '../../../live/sessions/terminal/texts.js';
import { IconButton } from '../../../ui/button/Button.js';
import css from './TerminalPanel.module.css';

interface TerminalSwitcherProps {
  readonly terminal: TerminalSession;
  readonly terminals: readonly TerminalSession[];
  readonly onShow: (terminal: TerminalSession) => void;
  readonly onNew: () => void;
}

/** The terminals of the device, one of which is shown. */
export function TerminalSwitcher({ terminal, terminals, onShow, onNew }: TerminalSwitcherProps): ReactNode {
  return (
    <div className={css.list} role="group" aria-label={t('terminals')}>
      {terminals.map((each) => (
        <button
          key={each.id}
          type="button"
          className={css.choice}
          aria-pressed={each === terminal}
          title={each.title === '' ? each.label : each.title}
          onClick={() => onShow(each)}
        >
          <SessionDot state={each.state} />
          <span className="cut">{each.title === '' ? each.label : each.title}</span>
        </button>
      ))}
      <IconButton icon={Plus} label={t('new')} small className={css.new} onClick={onNew} />
    </div>
  );
}
