import { queryOptions } from '@tanstack/react-query';

import { mutation } from './mutation.js';
import { changed, queryClient } from './queries.js';

/* Keys of the cache, and names of changed resources, begin with a resource. */

export const right = queryOptions({ queryKey: ['users', 'list'], queryFn: () => 1 });
// @ts-expect-error: a typo
export const wrong = queryOptions({ queryKey: ['userz', 'list'], queryFn: () => 1 });

export const changedRight = (): Promise<void> => changed('users', 'invites');
// @ts-expect-error: a typo
export const changedWrong = (): Promise<void> => changed('userz');

// @ts-expect-error: a typo
export const readAgain = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['userz'] });

export const mutationRight = mutation(['users', 'invites'], () => Promise.resolve());
// @ts-expect-error: a typo
export const mutationWrong = mutation(['userz'], () => Promise.resolve());
