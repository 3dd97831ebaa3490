import { queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useId, useState } from 'react';

import { isOutdated } from '../../problem/problem.js';
import type { Versioned } from '../../state/versioned.js';
import { useFailureAfterClose } from '../dialog/after-close.js';
import type { FormValues } from '../form/Form.js';
import { compare } from './compare.js';
import { MOST_TRIES } from './save-over.js';
import { savesEnded } from './saves-under-way.js';
import { t } from './texts.js';

const ChangedBefore = lazy(async () => ({ default: (await import('./ChangedBefore.js')).ChangedBefore }));

/** Reads the thing of an act, to notice that another editor has changed it. */
export interface Checks<T> {
  readonly read: (subject: T) => Promise<Versioned<FormValues<string>>>;
  readonly nameOf: (subject: T) => string;
  readonly labelOf: (field: string) => string;
}

/** Acts on a thing if it still has the state with the tag; null is for any. */
type Act<T> = (subject: T, tag: string | null) => Promise<unknown>;

interface Found {
  readonly before: FormValues<string>;
  readonly now: FormValues<string>;
}

interface Checked<T> {
  /** Notice of another editor's changes since the question opened. */
  readonly notice: ReactNode;
  /**
   * Acts on the thing in the state that the user knows, and answers true. If it is in another one, there is a notice, or a notification if
   * the question was closed, and the next run is for that.
   */
  run(this: void, subject: T, act: Act<T>): Promise<boolean>;
}

/** Reads the thing that a question is about when the question opens, and again if it turns out to be in another state. */
export function useChecked<T>(subject: T | null, checks: Checks<T> | undefined, isStillOpen: () => boolean): Checked<T> {
  const client = useQueryClient();
  const [found, setFound] = useState<Found | null>(null);
  const tellAfterClose = useFailureAfterClose(isStillOpen);
  const [isSaved] = useState(savesEnded);
  const options = queryOptions({
    queryKey: ['checked', useId()],
    queryFn: subject === null || checks === undefined ? skipToken : () => isSaved.then(() => checks.read(subject)),
    // The state that was read stays as it is, and is for one opening.
    staleTime: Infinity,
    gcTime: 0,
  });
  useQuery(options);
  return {
    notice: subject !== null && checks !== undefined && found !== null && (
      <Suspense>
        <ChangedBefore name={checks.nameOf(subject)} labelOf={checks.labelOf} {...found} />
      </Suspense>
    ),
    async run(about, act) {
      if (checks === undefined) {
        await act(about, null);
        return true;
      }
      const reading = client.fetchQuery(options);
      await Promise.allSettled([reading]);
      // Nothing has been sent yet: closing the question answers it with No, even if its thing could not be read.
      if (!isStillOpen()) return false;
      let known = await reading;
      for (let attempt = 1; ; attempt++) {
        try {
          await act(about, known.tag);
          return true;
        } catch (error) {
          if (!isOutdated(error) || attempt === MOST_TRIES) throw error;
        }
        const now = await checks.read(about);
        client.setQueryData(options.queryKey, now);
        if (compare(known.value, known.value, now.value).differences.length > 0) {
          setFound({ before: known.value, now: now.value });
          tellAfterClose(t('not-done', { name: checks.nameOf(about) }));
          return false;
        }
        known = now;
      }
    },
  };
}
