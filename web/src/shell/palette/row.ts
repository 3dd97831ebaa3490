import type { IconNode } from 'lucide';

/** One choice of the palette. */
export interface Row {
  readonly id: string;
  readonly label: string;
  readonly detail?: string;
  readonly icon: IconNode;
  /** The keys that do the same without the palette. */
  readonly keys?: string;
  readonly disabled?: boolean;
  readonly run: () => void;
}

export interface RowGroup {
  readonly value: string;
  readonly items: readonly Row[];
}

/** Choices of one kind at a time: more would have to be scrolled through. */
export const MOST = 8;

/** Progress of the answer that rows come from. */
export interface Progress {
  readonly isBusy: boolean;
  readonly error: unknown;
}

/** Rows of one kind that the service is asked for. */
export interface Asked extends Progress {
  readonly rows: readonly Row[];
}

export const NOT_ASKED: Progress = { isBusy: false, error: null };

/** Lists are asked for once, and searched here. */
export const progressOf = (...lists: readonly { readonly isLoading: boolean; readonly error: unknown }[]): Progress => ({
  isBusy: lists.some(({ isLoading }) => isLoading),
  error: lists.map(({ error }) => error).find((error) => error !== null) ?? null,
});

/** Goes to an address. */
export type Go = (href: string) => void;
