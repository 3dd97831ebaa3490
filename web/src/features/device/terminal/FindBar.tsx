import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';

import type { Screen } from '../../../live/sessions/terminal/screen.js';
import { t } from '../../../live/sessions/terminal/texts.js';
import { IconButton } from '../../../ui/button/Button.js';
import frame from '../session-frame/SessionFrame.module.css';
import css from './TerminalPanel.module.css';

interface FindBarProps {
  readonly screen: Screen;
  readonly onClose: () => void;
}

/** The search in what a terminal has printed. Enter goes up, as the newest lines are below. */
export function FindBar({ screen, onClose }: FindBarProps): ReactNode {
  const [text, setText] = useState('');
  const [results, setResults] = useState({ resultIndex: -1, resultCount: 0 });
  useEffect(() => {
    const listening = screen.search.onDidChangeResults(setResults);
    return () => {
      listening.dispose();
      screen.search.clearDecorations();
    };
  }, [screen]);
  const { resultIndex, resultCount } = results;
  return (
    <search className={frame.bar}>
      <input
        className={css.findInput}
        type="search"
        aria-label={t('find')}
        placeholder={t('find')}
        value={text}
        autoFocus
        onChange={(event) => {
          setText(event.currentTarget.value);
          screen.find(event.currentTarget.value, 'previous', true);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          else if (event.key === 'Enter') screen.find(text, event.shiftKey ? 'next' : 'previous');
          else return;
          event.preventDefault();
        }}
      />
      <span className={css.size} role="status">
        {text !== '' && (resultCount === 0 ? t('find-none') : t('find-count', { index: resultIndex + 1, count: resultCount }))}
      </span>
      <IconButton icon={ChevronUp} label={t('find-previous')} small onClick={() => screen.find(text, 'previous')} />
      <IconButton icon={ChevronDown} label={t('find-next')} small onClick={() => screen.find(text, 'next')} />
      <IconButton icon={X} label={t('find-close')} small onClick={onClose} />
    </search>
  );
}
