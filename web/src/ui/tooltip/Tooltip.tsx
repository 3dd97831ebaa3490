import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';

import { classes } from '../classes.js';
import float from '../frames/Float.module.css';
import css from './Tooltip.module.css';

interface TooltipProps {
  /** A few words more about the control: never its only name, as phones show no tooltips. */
  readonly content: ReactNode;
  /** The element that it belongs to; it has to take focus, so that the keyboard reaches the words. */
  readonly children: ReactElement<Record<string, unknown>>;
  readonly side?: 'top' | 'bottom' | 'inline-start' | 'inline-end';
}

/** Words that appear beside a control while the pointer or the focus rests on it. Heavy: plain facts do with `title`. */
export function Tooltip({ content, children, side = 'top' }: TooltipProps): ReactNode {
  return (
    <Base.Root>
      <Base.Trigger render={children} delay={400} />
      <Base.Portal>
        <Base.Positioner className={css.positioner} side={side} sideOffset={6} collisionPadding={8}>
          <Base.Popup className={classes(float.soft, css.popup)}>{content}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
