import { type ReactNode, useEffect, useRef, useState } from 'react';

import { keyWordsOf } from '../../../keyboard/shortcuts.js';
import { SessionSlot } from '../../../live/sessions/SessionSlot.js';
import { useSessions } from '../../../live/sessions/sessions.js';
import { openLink } from '../../../live/sessions/terminal/screen.js';
import { linesOf, type TerminalSession } from '../../../live/sessions/terminal/terminal-session.js';
import { t } from '../../../live/sessions/terminal/texts.js';
import { Banner } from '../../../ui/banner/Banner.js';
import { Button } from '../../../ui/button/Button.js';
import { Confirm } from '../../../ui/confirm/Confirm.js';
import { classes } from '../../../ui/classes.js';
import { describeProblem } from '../../../ui/problem-text.js';
import { toastProblem } from '../../../ui/toast/toasts.js';
import { useIsPageFull } from '../session-frame/full-screen.js';
import frame from '../session-frame/SessionFrame.module.css';
import { FindBar } from './FindBar.js';
import { KeyRow } from './KeyRow.js';
import { LineInput } from './LineInput.js';
import css from './TerminalPanel.module.css';
import { TerminalTools } from './TerminalTools.js';

interface TerminalPanelProps {
  readonly terminal: TerminalSession;
  /** Content before the tools: it names this terminal. */
  readonly heading: ReactNode;
  /** Opens it in a window of its own; left out there. */
  readonly onPopOut?: () => void;
  readonly onEnded: () => void;
}

/** One terminal with its tools. Its picture and its shell belong to the session and outlive this panel. */
export function TerminalPanel({ terminal, heading, onPopOut, onEnded }: TerminalPanelProps): ReactNode {
  useSessions();
  const isFull = useIsPageFull();
  const tools = useRef<HTMLDivElement>(null);
  const [isFinding, setFinding] = useState(false);
  const [pasted, setPasted] = useState<string | null>(null);
  const [link, setLink] = useState<{ readonly target: string; readonly text: string } | null>(null);
  const [isEnding, setEnding] = useState(false);
  const [, setDrawn] = useState(0);
  const { screen, connection } = terminal;

  useEffect(() => {
    terminal.listen({
      onPasteLines: setPasted,
      onLink: (target, text) => setLink({ target, text }),
      onLeave: () => tools.current?.querySelector('button')?.focus(),
      onFind: () => setFinding(true),
    });
  }, [terminal]);

  const end = (): void => {
    setEnding(false);
    terminal.end();
    onEnded();
  };
  const { cols, rows } = screen.terminal;

  return (
    <div className={classes(frame.panel, isFull && frame.whole)}>
      <div className={frame.bar}>
        {heading}
        <span className={classes(css.size, css.measures)}>
          {cols}×{rows}
        </span>
        <TerminalTools
          {...{ terminal, tools, onPopOut }}
          onFind={() => setFinding(!isFinding)}
          onEnd={() => setEnding(true)}
          onDrawn={setDrawn}
        />
      </div>
      {isFinding && (
        <FindBar
          screen={screen}
          onClose={() => {
            setFinding(false);
            screen.terminal.focus();
          }}
        />
      )}
      {connection.kind === 'waiting' && <Banner>{t(connection.for === 'hub' ? 'waiting' : 'waiting-device')}</Banner>}
      {connection.kind === 'failed' && (
        <Banner
          look="bad"
          actions={
            <Button look="quiet" onClick={() => void terminal.attach()}>
              {t('retry')}
            </Button>
          }
        >
          {describeProblem(connection.problem)}
        </Banner>
      )}
      <SessionSlot session={terminal} className={classes(frame.slot, css.ground, css.slot)} />
      {terminal.isRaw === false && <LineInput terminal={terminal} onPasteLines={setPasted} />}
      {terminal.isRaw === true && <KeyRow terminal={terminal} />}
      <p className={classes(css.ground, css.hint)}>{t('leave-hint', { keys: keyWordsOf('leave-terminal') })}</p>
      <Confirm
        open={pasted !== null}
        onClose={() => setPasted(null)}
        title={t('paste-title')}
        action={t('paste')}
        onConfirm={() => {
          if (pasted !== null) terminal.paste(pasted).catch((error: unknown) => toastProblem(error));
          setPasted(null);
        }}
      >
        <p>{t('paste-text', { count: pasted === null ? 0 : linesOf(pasted).length })}</p>
        <pre className={css.preview}>{pasted}</pre>
      </Confirm>
      <Confirm
        open={link !== null}
        onClose={() => setLink(null)}
        title={t('link-title')}
        action={t('link-open')}
        onConfirm={() => {
          if (link !== null) openLink(link.target);
          setLink(null);
        }}
      >
        <p>{t('link-text', { text: link?.text ?? '' })}</p>
        <pre className={css.preview}>{link?.target}</pre>
      </Confirm>
      <Confirm
        open={isEnding}
        onClose={() => setEnding(false)}
        title={t('end-title', { label: terminal.label, name: terminal.deviceName })}
        action={t('end')}
        look="danger"
        onConfirm={end}
      >
        {t('end-text')}
      </Confirm>
    </div>
  );
}
