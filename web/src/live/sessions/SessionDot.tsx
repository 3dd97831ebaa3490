import type { ReactNode } from 'react';

import { classes } from '../../ui/classes.js';
import css from './SessionDot.module.css';
import type { SessionState } from './sessions.js';

/** State of a session as a coloured dot. Say it in words too: the dot is not read aloud. */
export function SessionDot({ state }: { readonly state: SessionState }): ReactNode {
  return <span className={classes(css.dot, state === 'running' && css.running, state === 'failed' && css.failed)} aria-hidden />;
}
