import { isGone, isOutdated } from '../problem/problem.js';
import { changed } from './queries.js';
import type { Resource } from './resources.js';

interface Options {
  /** Also reads the resources again after any failure, for a mutation of several requests: some of them may have succeeded. */
  readonly alsoAfterFailure?: boolean;
}

/**
 * A mutation of a resource: `send` sends the request and returns what callers need of the answer. The resources in `changes` and the change
 * log are read again once it succeeded, or was refused because the shown state is outdated. The answer does not wait for that.
 */
export function mutation<Given extends readonly unknown[], Answer>(
  changes: readonly Resource[],
  send: (...given: Given) => Promise<Answer>,
  { alsoAfterFailure = false }: Options = {},
): (...given: Given) => Promise<Answer> {
  return async (...given) => {
    try {
      const answer = await send(...given);
      void changed(...changes);
      return answer;
    } catch (error) {
      if (alsoAfterFailure || isOutdated(error) || isGone(error)) void changed(...changes);
      throw error;
    }
  };
}
