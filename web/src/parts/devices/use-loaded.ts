import { useEffect, useState } from 'react';

import { type ChosenColumn, isDefaultColumn } from './chosen-columns.js';
import type { LaterColumns } from './cells.js';
import type { Marks } from './marks.js';

/** The result of `load` for a key, whose code loads at first use; undefined without a key. */
function useLoaded<T>(key: string | undefined, load: (key: string) => Promise<T>): T | undefined {
  const [loaded, setLoaded] = useState<T>();
  useEffect(() => {
    if (key !== undefined) void load(key).then(setLoaded);
  }, [key, load]);
  return key === undefined ? undefined : loaded;
}

const loadMarks = async (q: string): Promise<Marks> => (await import('./marks.js')).marksOf(q);
const loadColumns = async (): Promise<LaterColumns> => (await import('./later-columns.js')).loadColumns();

/** The marks of the searched text. */
export const useMarks = (q: string | undefined): Marks | undefined => useLoaded(q, loadMarks);

/** The columns that few lists show, if one of them is chosen. */
export const useLaterColumns = (chosen: readonly ChosenColumn[]): LaterColumns | undefined =>
  useLoaded(chosen.every(({ id }) => isDefaultColumn(id)) ? undefined : '', loadColumns);
