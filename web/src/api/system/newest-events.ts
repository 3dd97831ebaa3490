import type { InfiniteData } from '@tanstack/react-query';

/** Events that a list keeps besides those that the user has asked for: a page may stay open for days. */
export const KEPT_EVENTS = 1000;
/** Events of a page of the service. */
export const PAGE_SIZE = 50;

interface EventsPage<E> {
  readonly items: E[];
  /** Id before which the next page begins. */
  readonly next: string | null;
}

/** The pages with one more event before the others, once. Of very many, the oldest are given up, and can be read again as the next page. */
export function withNewest<E extends { readonly id: string }>(
  data: InfiniteData<EventsPage<E>, string>,
  event: E,
): InfiniteData<EventsPage<E>, string> {
  if (data.pages.some(({ items }) => items.some(({ id }) => id === event.id))) return data;
  const [first, ...others] = data.pages;
  const pages: EventsPage<E>[] = [];
  let room = KEPT_EVENTS + PAGE_SIZE * data.pages.length;
  for (const page of [{ ...first, items: [event, ...first.items] }, ...others]) {
    const items = page.items.slice(0, room);
    room -= page.items.length;
    if (room >= 0) pages.push(page);
    else {
      if (items.length > 0) pages.push({ ...page, items });
      break;
    }
  }
  const last = pages.at(-1);
  // What was given up begins behind the last one that is left.
  if (room < 0 && last !== undefined) pages.splice(-1, 1, { ...last, next: last.items.at(-1)?.id ?? last.next });
  return { pages, pageParams: data.pageParams.slice(0, pages.length) };
}
