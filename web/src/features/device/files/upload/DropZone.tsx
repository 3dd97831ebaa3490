import type { DragEvent, ReactNode } from 'react';

import css from '../FileBrowser.module.css';
import { t } from '../texts.js';
import { DropText } from './DropText.js';
import { useDroppedFiles } from './useDroppedFiles.js';

interface DropZoneProps {
  readonly path: string;
  readonly isEnabled: boolean;
  /** The folder that an element of the page shows, if it is one: a drop there goes into it. */
  readonly folderAt: (element: Element) => DropTarget | null;
  readonly onDrop: (transfer: DataTransfer, path: string) => void;
  readonly children: ReactNode;
}

/** A folder in the page. */
export interface DropTarget {
  readonly path: string;
  readonly element: Element;
}

/** Place of the target within the zone, in pixels; none for the whole zone. */
interface Over {
  readonly path: string;
  readonly place?: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
}

/** Takes files that are dropped anywhere on the folder, or on a folder in it, and says which one it is. */
export function DropZone({ path, isEnabled, folderAt, onDrop, children }: DropZoneProps): ReactNode {
  const overOf = ({ target, currentTarget }: DragEvent): Over => {
    const found = target instanceof Element ? folderAt(target) : null;
    if (found === null) return { path };
    const zone = currentTarget.getBoundingClientRect();
    const { left, top, width, height } = found.element.getBoundingClientRect();
    return { path: found.path, place: { left: left - zone.left, top: top - zone.top, width, height } };
  };
  const [over, events] = useDroppedFiles({ isEnabled, overOf, onDrop: (transfer, on) => onDrop(transfer, on?.path ?? path) });
  return (
    // Dropping has another way for the keyboard: the button Upload.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={css.browser} {...events}>
      {children}
      {over !== null && (
        <div className={css.drop}>
          <div className={css.dropFrame} style={over.place} />
          <DropText>{t('drop', { path: over.path })}</DropText>
        </div>
      )}
    </div>
  );
}
