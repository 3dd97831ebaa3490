import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';

import { linesOf, type TerminalSession } from '../../../live/sessions/terminal/terminal-session.js';
import { t } from '../../../live/sessions/terminal/texts.js';
import { classes } from '../../../ui/classes.js';
import { toastProblem } from '../../../ui/toast/toasts.js';
import { LineCompletion } from './line-completion.js';
import { EMPTY_HISTORY, type LineHistory, moved, withLine } from './line-history.js';
import css from './TerminalPanel.module.css';

interface LineInputProps {
  readonly terminal: TerminalSession;
  /** Several lines are about to be pasted, which the field would join to one. */
  readonly onPasteLines: (text: string) => void;
}

/** The command line of a shell that takes whole lines: history by the arrow keys, completion by Tab. */
export function LineInput({ terminal, onPasteLines }: LineInputProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const [line, setLine] = useState('');
  const [history, setHistory] = useState<LineHistory>(EMPTY_HISTORY);
  const [completion] = useState(() => new LineCompletion(async (...question) => terminal.complete(...question)));

  const complete = async (forward: boolean): Promise<void> => {
    const next = await completion.next({ line, cursor: input.current?.selectionStart ?? line.length }, forward);
    if (next === null) return;
    setLine(next.line);
    requestAnimationFrame(() => input.current?.setSelectionRange(next.cursor, next.cursor));
  };

  const go = (step: -1 | 1): void => {
    const next = moved(history, step);
    if (next === null) return;
    completion.forget();
    setHistory(next.history);
    setLine(next.line);
  };
  const handleKey = (event: KeyboardEvent): void => {
    if (event.key === 'Tab' && line !== '') void complete(!event.shiftKey).catch((error: unknown) => toastProblem(error));
    else if (event.key === 'ArrowUp') go(-1);
    else if (event.key === 'ArrowDown') go(1);
    else return;
    event.preventDefault();
  };
  return (
    <form
      className={classes(css.ground, css.line)}
      onSubmit={(event) => {
        event.preventDefault();
        setHistory(withLine(history, line));
        setLine('');
        completion.forget();
        terminal.runLine(line).catch((error: unknown) => toastProblem(error));
      }}
    >
      <input
        ref={input}
        className={css.lineInput}
        aria-label={t('line')}
        placeholder={t('line-hint')}
        value={line}
        autoFocus
        autoCapitalize="off"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        onKeyDown={handleKey}
        onPaste={(event) => {
          const text = event.clipboardData.getData('text/plain');
          if (linesOf(text).length === 1) return;
          event.preventDefault();
          onPasteLines(text);
        }}
        onChange={(event) => {
          completion.forget();
          setLine(event.currentTarget.value);
        }}
      />
    </form>
  );
}
