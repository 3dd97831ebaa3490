import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';

import { classes } from '../classes.js';
import float from '../frames/Float.module.css';
import css from './Popover.module.css';

interface PopoverProps {
  /** The button that opens it: a Button, a FilterChip. */
  readonly trigger: ReactElement<Record<string, unknown>>;
  /** A heading; without it give `label`. */
  readonly title?: ReactNode;
  readonly label?: string;
  readonly align?: 'start' | 'end';
  /** Use with `onOpenChange` where something else opens or closes it too. */
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
  readonly children: ReactNode;
}

/** A small surface at its button, for choices and short forms. It closes by Escape and by a click outside. */
export function Popover({ trigger, title, label, align = 'start', open, onOpenChange, children }: PopoverProps): ReactNode {
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => onOpenChange?.(isOpen)}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={float.positioner} align={align} sideOffset={4} collisionPadding={8}>
          <Base.Popup className={classes(float.surface, float.soft, css.popup)} aria-label={title === undefined ? label : undefined}>
            {title !== undefined && <Base.Title className={css.title}>{title}</Base.Title>}
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
