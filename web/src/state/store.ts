import { useSyncExternalStore } from 'react';

/** The listeners of an event. */
export interface Listeners<A extends readonly unknown[]> {
  /** Adds a listener. Returns a function that removes it. */
  readonly add: (listener: (...about: A) => void) => () => void;
  readonly call: (...about: A) => void;
}

export function listenersOf<A extends readonly unknown[] = []>(): Listeners<A> {
  const all = new Set<(...about: A) => void>();
  return {
    add(listener) {
      all.add(listener);
      return () => void all.delete(listener);
    },
    call(...about) {
      for (const listener of all) listener(...about);
    },
  };
}

/** A value that parts of the page share. */
export interface Store<T> {
  readonly get: () => T;
  readonly set: (value: T) => void;
  /** Calls `listener` after every change, until the returned function is called. */
  readonly subscribe: (listener: () => void) => () => void;
  /** The value; renders again when it changes. */
  readonly useValue: () => T;
}

/** Forgets a user. */
type Forget = () => void | Promise<void>;
const forgetting: Forget[] = [];

/** Has something that is no store forget the user at the sign-out. */
export const atSignOut = (forget: Forget): void => void forgetting.push(forget);

/** Makes a store. At the sign-out its value stays, goes back to the first one, or is forgotten by a function of its own. */
export function store<T>(first: T, end: 'stays' | 'goes' | Forget): Store<T> {
  const { add: subscribe, call } = listenersOf();
  let value = first;
  const get = (): T => value;
  const set = (next: T): void => {
    value = next;
    call();
  };
  if (end !== 'stays') atSignOut(end === 'goes' ? () => set(first) : end);
  return { get, set, subscribe, useValue: () => useSyncExternalStore(subscribe, get) };
}

/** Has everything forget the user. The newest goes first: sessions end over the connection that was made before them. */
export async function forgetUser(): Promise<void> {
  for (const forget of forgetting.toReversed()) await forget();
}
