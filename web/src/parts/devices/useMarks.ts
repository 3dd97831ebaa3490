import { useEffect, useState } from 'react';

import type { Marks } from './marks.js';

/** The marks of the searched text. Their code is loaded with the first search. */
export function useMarks(q: string | undefined): Marks | undefined {
  const [marks, setMarks] = useState<Marks>();
  useEffect(() => {
    if (q !== undefined) void import('./marks.js').then(({ marksOf }) => setMarks(marksOf(q)));
  }, [q]);
  return q === undefined ? undefined : marks;
}
