import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

import { classes } from '../classes.js';
import tones from '../frames/Tone.module.css';
import css from './Badge.module.css';

export type BadgeLook = 'neutral' | 'accent' | 'ok' | 'warn' | 'bad';

interface BadgeProps {
  readonly look?: BadgeLook;
  readonly icon?: LucideIcon;
  readonly children: ReactNode;
}

/** A fact in one or two words beside what it is about: "Outdated", "Expires in 5 h". */
export function Badge({ look = 'neutral', icon: Icon, children }: BadgeProps): ReactNode {
  return (
    <span className={classes(css.badge, tones[look])}>
      {Icon !== undefined && <Icon size={12} strokeWidth={1.75} aria-hidden />}
      <span className="cut">{children}</span>
    </span>
  );
}
