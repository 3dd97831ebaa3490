import { CircleCheck, CircleX, Info, TriangleAlert } from 'lucide';
import type { ReactNode } from 'react';

import { classes } from '../classes.js';
import tones from '../frames/Tone.module.css';
import { Icon } from '../icon/Icon.js';
import css from './Banner.module.css';

export type BannerLook = 'info' | 'ok' | 'warn' | 'bad';

const ICONS = { info: Info, ok: CircleCheck, warn: TriangleAlert, bad: CircleX } as const;

interface BannerProps {
  readonly look?: BannerLook;
  readonly children: ReactNode;
  /** Buttons at its end. */
  readonly actions?: ReactNode;
}

/** A sentence that stays where it is until its reason is gone. Errors are read aloud at once. */
export function Banner({ look = 'info', children, actions }: BannerProps): ReactNode {
  return (
    <div className={classes(css.banner, look === 'info' ? css.info : tones[look])} role={look === 'bad' ? 'alert' : 'status'}>
      <Icon of={ICONS[look]} />
      <div className={css.body}>{children}</div>
      {actions}
    </div>
  );
}
