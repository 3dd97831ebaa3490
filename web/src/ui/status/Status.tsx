import type { ReactNode } from 'react';

import { classes } from '../classes.js';
import { t } from '../texts.js';
import css from './Status.module.css';

type StatusLook = 'online' | 'offline' | 'warning' | 'error';

/** Shapes of 10 by 10: the state is never told by its colour alone. */
const SHAPES: Readonly<Record<StatusLook, ReactNode>> = {
  online: <circle cx="5" cy="5" r="4" fill="currentColor" />,
  offline: <circle cx="5" cy="5" r="3.25" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  warning: <path d="M5 0.8 9.6 9.2H0.4Z" fill="currentColor" />,
  error: <path d="M1.5 1.5l7 7M8.5 1.5l-7 7" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />,
};

interface StatusProps {
  readonly look: StatusLook;
  /** The state in words; without it "Online", "Offline", "Warning" or "Error". */
  readonly children?: ReactNode;
  /** Shows the shape only, where a column of the same words would be noise. The word is still read aloud. */
  readonly hideWord?: boolean;
}

/** A state as a shape with its word. */
export function Status({ look, children = t(look), hideWord = false }: StatusProps): ReactNode {
  return (
    <span className={classes(css.status, css[look])}>
      <svg className={css.shape} viewBox="0 0 10 10" width={10} height={10} aria-hidden>
        {SHAPES[look]}
      </svg>
      <span className={hideWord ? 'visually-hidden' : css.word}>{children}</span>
    </span>
  );
}
