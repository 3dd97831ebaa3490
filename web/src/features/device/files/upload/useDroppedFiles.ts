import { type DragEvent, useState } from 'react';

/** True for a drag that carries files: texts and links are left to the browser. */
export const hasFiles = ({ dataTransfer }: { readonly dataTransfer: DataTransfer | null }): boolean =>
  dataTransfer?.types.includes('Files') === true;

interface DroppedFilesOptions<T> {
  /** False while drops are left to the browser. */
  readonly isEnabled?: boolean;
  /** The place that a drop would go to, as the area shows it; null to show nothing. */
  readonly overOf: (event: DragEvent) => T | null;
  readonly onDrop: (transfer: DataTransfer, over: T | null) => void;
}

/** The events of an area that takes dropped files. */
interface DropEvents {
  readonly onDragOver: (event: DragEvent) => void;
  readonly onDragLeave: (event: DragEvent) => void;
  readonly onDrop: (event: DragEvent) => void;
}

/** Files that are dragged over an area: the place that they are over, null while there are none, and the events of the area. */
export function useDroppedFiles<T>({ isEnabled = true, overOf, onDrop }: DroppedFilesOptions<T>): readonly [over: T | null, DropEvents] {
  const [over, setOver] = useState<T | null>(null);
  const isWanted = (event: DragEvent): boolean => isEnabled && hasFiles(event);
  return [
    over,
    {
      onDragOver(event) {
        if (!isWanted(event)) return;
        event.preventDefault();
        setOver(overOf(event));
      },
      onDragLeave(event) {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(null);
      },
      onDrop(event) {
        setOver(null);
        if (!isWanted(event)) return;
        event.preventDefault();
        onDrop(event.dataTransfer, overOf(event));
      },
    },
  ];
}
