import type { IconNode } from 'lucide';
import { createElement, type ReactNode } from 'react';

import { classes } from '../classes.js';
import css from './Icon.module.css';

/** Pixels: 12 in marks and beside small texts, 20 where it stands alone. */
export type IconSize = 12 | 16 | 20;

interface IconProps {
  /** The drawing. Without one nothing is drawn. */
  readonly of: IconNode | undefined;
  readonly size?: IconSize;
  /** Its meaning. Without a label it adds nothing to the text beside it, and is not read aloud. */
  readonly label?: string | undefined;
  readonly className?: string | undefined;
}

/** A line drawing in the colour of the text. */
export function Icon({ of, size = 16, label, className }: IconProps): ReactNode {
  if (of === undefined) return null;
  return (
    <svg
      className={classes(css.icon, className)}
      viewBox="0 0 24 24"
      width={size}
      height={size}
      aria-hidden={label === undefined}
      role={label && 'img'}
      aria-label={label}
    >
      {of.map(([tag, attributes], key) => createElement(tag, { key, ...attributes }))}
    </svg>
  );
}
