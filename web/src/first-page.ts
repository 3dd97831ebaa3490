import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

import { queryClient } from './api/queries.js';

/*
 * What nobody needs to see the first page is loaded once the page shows what it asked for: until then it would take the processor and the
 * line from what is waited for.
 */

/** The most that the rest waits for the answers of a page. A request that asks for another proof of identity ends only through the rest. */
const MOST_MS = 1000;

let begin: () => void;
const isDrawn = new Promise<void>((resolve) => {
  begin = resolve;
});
const isDone = isDrawn.then(() => Promise.race([answersAreDrawn(), new Promise((resolve) => setTimeout(resolve, MOST_MS))]));

/** The first page is there, though its answers may be on their way. */
export const firstPageIsThere = (): void => begin();

/** A component whose code is loaded after the first page. */
export function lazyAfterFirstPage<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => {
    await isDone;
    return { default: await load() };
  });
}

async function answersAreDrawn(): Promise<void> {
  await noneIsFetching();
  await new Promise<void>((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
  });
}

function noneIsFetching(): Promise<void> {
  return new Promise((resolve) => {
    if (queryClient.isFetching() === 0) return resolve();
    const stop = queryClient.getQueryCache().subscribe(() => {
      if (queryClient.isFetching() > 0) return;
      stop();
      resolve();
    });
  });
}
