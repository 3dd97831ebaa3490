import type { IconNode } from 'lucide';
import type { ReactNode } from 'react';

import { classes } from '../classes.js';
import tones from '../frames/Tone.module.css';
import { Icon } from '../icon/Icon.js';
import css from './Badge.module.css';

export type BadgeLook = 'neutral' | 'accent' | 'ok' | 'warn' | 'bad';

interface BadgeProps {
  readonly look?: BadgeLook;
  readonly icon?: IconNode;
  readonly children: ReactNode;
}

/** A fact in one or two words beside its object: "Outdated", "Expires in 5 h". */
export function Badge({ look = 'neutral', icon, children }: BadgeProps): ReactNode {
  return (
    <span className={classes(css.badge, tones[look])}>
      <Icon of={icon} size={12} />
      <span className="cut">{children}</span>
    </span>
  );
}
