import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

import { queryClient } from '../api/queries.js';

/*
 * Code that the first page does not need is loaded once the page shows its answers: until then it would take the processor and the line
 * from them.
 */

/** The longest time that later code waits for the answers of a page. A request that needs another proof of identity is answered only after that code is loaded. */
const MOST_MS = 1000;

let begin: () => void;
const isDrawn = new Promise<void>((resolve) => {
  begin = resolve;
});
/** Resolves when the page shows its first answers. */
export const firstPageIsDone = isDrawn.then(() =>
  Promise.race([answersAreDrawn(), new Promise((resolve) => setTimeout(resolve, MOST_MS))]),
);

/** Attempts to load later code, each after twice the pause: a short loss of the connection must not leave any of it out. */
const MOST_TRIES = 6;
const FIRST_PAUSE_MS = 1000;

/** The first page is there, though its answers may be on their way. */
export const firstPageIsThere = (): void => begin();

/** A component whose code is loaded after the first page. */
export function lazyAfterFirstPage<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => {
    await firstPageIsDone;
    return { default: await withRetries(load) };
  });
}

async function withRetries<T>(load: () => Promise<T>): Promise<T> {
  for (let tries = 1; tries < MOST_TRIES; tries += 1) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** (tries - 1)));
    }
  }
  return load();
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
