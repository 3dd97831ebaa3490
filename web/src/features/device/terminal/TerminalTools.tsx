import { AArrowDown, AArrowUp, ExternalLink, Maximize, Search, X } from 'lucide';
import type { ReactNode, RefObject } from 'react';

import { keyWordsOf } from '../../../keyboard/shortcuts.js';
import type { TerminalSession } from '../../../live/sessions/terminal/terminal-session.js';
import { t } from '../../../live/sessions/terminal/texts.js';
import { IconButton } from '../../../ui/button/Button.js';
import { MenuButton } from '../../../ui/menu/MenuButton.js';
import { toggleFullScreen } from '../session-frame/full-screen.js';
import frame from '../session-frame/SessionFrame.module.css';

interface TerminalToolsProps {
  readonly terminal: TerminalSession;
  readonly tools: RefObject<HTMLDivElement | null>;
  readonly onFind: () => void;
  readonly onPopOut: (() => void) | undefined;
  readonly onEnd: () => void;
  /** The picture has changed. */
  readonly onDrawn: (state: number) => void;
}

/** The buttons over a terminal. */
export function TerminalTools({ terminal, tools, onFind, onPopOut, onEnd, onDrawn }: TerminalToolsProps): ReactNode {
  const { screen } = terminal;
  const resize = (step: number): void => onDrawn(screen.changeFontSize(step));
  return (
    <div className={frame.tools} role="toolbar" aria-label={t('tools')} ref={tools}>
      <IconButton icon={Search} label={`${t('find')} (${keyWordsOf('find-in-terminal')})`} small onClick={onFind} />
      <IconButton icon={AArrowDown} label={t('smaller')} small onClick={() => resize(-1)} />
      <IconButton icon={AArrowUp} label={t('larger')} small onClick={() => resize(1)} />
      {onPopOut !== undefined && <IconButton icon={ExternalLink} label={t('pop-out')} small onClick={onPopOut} />}
      <IconButton
        icon={Maximize}
        label={t('full-screen')}
        small
        onClick={() => void toggleFullScreen().then(() => screen.terminal.focus())}
      />
      <MenuButton
        label={t('more')}
        hideLabel
        small
        entries={[
          {
            label: t('reader-mode'),
            checked: screen.isReaderMode,
            onCheckedChange(checked) {
              screen.setReaderMode(checked);
              onDrawn(Number(checked));
            },
          },
        ]}
      />
      <IconButton icon={X} label={t('end')} small onClick={onEnd} />
    </div>
  );
}
