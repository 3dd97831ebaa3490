import { type DragEvent, type ReactNode, useState } from 'react';

import css from '../FileBrowser.module.css';
import { t } from '../texts.js';

interface DropZoneProps {
  readonly path: string;
  readonly isEnabled: boolean;
  readonly onDrop: (transfer: DataTransfer) => void;
  readonly children: ReactNode;
}

/** Takes files that are dropped anywhere on the folder. */
export function DropZone({ path, isEnabled, onDrop, children }: DropZoneProps): ReactNode {
  const [isOver, setOver] = useState(false);
  const isWanted = ({ dataTransfer }: DragEvent): boolean => isEnabled && dataTransfer.types.includes('Files');
  return (
    // Dropping has another way for the keyboard: the button Upload.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={css.browser}
      onDragOver={(event) => {
        if (!isWanted(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        setOver(false);
        if (!isWanted(event)) return;
        event.preventDefault();
        onDrop(event.dataTransfer);
      }}
    >
      {children}
      {isOver && <div className={css.drop}>{t('drop', { path })}</div>}
    </div>
  );
}
