import type { ReactNode } from 'react';

import css from './Avatar.module.css';
import { initialsOf } from './initials.js';

interface AvatarProps {
  readonly name: string;
  readonly size?: 24 | 32 | 48;
}

/** The initials of a person. Decoration: the name stands beside it, or is the label of its parent. */
export function Avatar({ name, size = 24 }: AvatarProps): ReactNode {
  return (
    <span className={css.avatar} style={{ width: size, height: size, fontSize: size * 0.42 }} aria-hidden>
      {initialsOf(name)}
    </span>
  );
}
