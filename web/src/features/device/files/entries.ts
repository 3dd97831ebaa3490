import type { Schemas } from '../../../api/client.js';
import { normalized } from './paths.js';
import type { Sort } from './sorts.js';

export type Entry = Schemas['DeviceFileSystemEntryDto'];

/** Most bytes of a file that is opened in the page. */
export const MAX_TEXT_BYTES = 1024 * 1024;

interface View {
  readonly filter: string;
  readonly sort: Sort;
  readonly showHidden: boolean;
}

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Entries of a folder as a list shows them: folders first, in any order. */
export function viewOf(entries: readonly Entry[], { filter, sort, showHidden }: View): Entry[] {
  const wanted = filter.trim().toLocaleLowerCase();
  const isDescending = sort.startsWith('-');
  const key = isDescending ? sort.slice(1) : sort;
  return entries
    .filter(({ name, isHidden }) => (showHidden || !isHidden) && name.toLocaleLowerCase().includes(wanted))
    .sort((a, b) => {
      if (a.isDirectory !== b.isDirectory) return a.isDirectory ? -1 : 1;
      const order = compare(a, b, key);
      return isDescending ? -order : order;
    });
}

/** Folders of the tree. A hidden one on the way to the folder that is shown stays, so that the tree leads there. */
export const foldersShown = (
  folders: readonly Entry[],
  { showHidden, way }: { readonly showHidden: boolean; readonly way: ReadonlySet<string> },
): Entry[] => folders.filter(({ isHidden, fullPath }) => showHidden || !isHidden || way.has(normalized(fullPath)));

/** The name without its extension: `report` of `report.pdf`, all of `.profile`. */
export function stemOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

function compare(a: Entry, b: Entry, key: string): number {
  if (key === 'size' && a.size !== b.size) return a.size - b.size;
  if (key === 'modified') {
    const difference = Date.parse(a.lastModified) - Date.parse(b.lastModified);
    if (difference !== 0) return difference;
  }
  return byName.compare(a.name, b.name);
}
