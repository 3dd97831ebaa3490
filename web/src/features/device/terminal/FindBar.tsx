import type { SearchAddon } from '@xterm/addon-search';
import { ChevronDown, ChevronUp, X } from 'lucide';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';

import { MATCHES } from '../../../live/sessions/terminal/colours.js';
import { currentGround, onGround } from '../../../live/sessions/terminal/ground.js';
import type { Screen } from '../../../live/sessions/terminal/screen.js';
import { t } from '../../../live/sessions/terminal/texts.js';
import { IconButton } from '../../../ui/button/Button.js';
import { toastProblem } from '../../../ui/toast/toasts.js';
import frame from '../session-frame/SessionFrame.module.css';
import css from './TerminalPanel.module.css';

interface FindBarProps {
  readonly screen: Screen;
  readonly onClose: () => void;
}

/** The search in the output of a terminal. Enter goes up, as the newest lines are below. */
export function FindBar({ screen, onClose }: FindBarProps): ReactNode {
  const [text, setText] = useState('');
  const [results, setResults] = useState({ resultIndex: -1, resultCount: 0 });
  const [search, setSearch] = useState<SearchAddon | null>(null);
  const decorations = MATCHES[useSyncExternalStore(onGround, currentGround)];
  useEffect(() => {
    let addon: SearchAddon | undefined;
    let isOver = false;
    import('@xterm/addon-search').then((loaded) => {
      if (isOver) return;
      addon = new loaded.SearchAddon();
      screen.terminal.loadAddon(addon);
      addon.onDidChangeResults(setResults);
      setSearch(addon);
    }, toastProblem);
    return () => {
      isOver = true;
      addon?.clearDecorations();
      addon?.dispose();
    };
  }, [screen]);
  // Marks in the colours of another ground are removed and made again.
  useEffect(() => () => search?.clearDecorations(), [search, decorations]);
  // Also a text that was typed before the search was there.
  useEffect(() => {
    search?.findPrevious(text, { decorations, incremental: true });
  }, [search, text, decorations]);
  const goTo = (direction: 'next' | 'previous'): void => {
    const options = { decorations };
    if (direction === 'next') search?.findNext(text, options);
    else search?.findPrevious(text, options);
  };
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
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          else if (event.key === 'Enter') goTo(event.shiftKey ? 'next' : 'previous');
          else return;
          event.preventDefault();
        }}
      />
      <span className={css.size} role="status">
        {text !== '' && (resultCount === 0 ? t('find-none') : t('find-count', { index: resultIndex + 1, count: resultCount }))}
      </span>
      <IconButton icon={ChevronUp} label={t('find-previous')} small onClick={() => goTo('previous')} />
      <IconButton icon={ChevronDown} label={t('find-next')} small onClick={() => goTo('next')} />
      <IconButton icon={X} label={t('find-close')} small onClick={onClose} />
    </search>
  );
}
