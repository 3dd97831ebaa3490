import { isGone, isOutdated } from '../../problem/problem.js';
import type { Versioned } from '../../state/versioned.js';
import type { FormValues } from '../form/Form.js';
import { compare, type Comparison } from './compare.js';

/** A thing that a form changes, as the values of its fields. */
export interface Editable<Name extends string> {
  read(this: void): Promise<Versioned<FormValues<Name>>>;
  /** Saves the values if the thing still has the state with the tag. Returns the stored state. */
  save(this: void, values: FormValues<Name>, tag: string | null): Promise<Versioned<FormValues<Name>>>;
}

/** Another editor was faster: nothing is saved. */
export interface Changed<Name extends string> extends Comparison<Name> {
  readonly kind: 'changed';
  readonly now: Versioned<FormValues<Name>>;
}

export type Outcome<Name extends string> =
  { readonly kind: 'saved'; readonly now: Versioned<FormValues<Name>> } | Changed<Name> | { readonly kind: 'gone' };

/** Others save as well, but hardly that often. */
export const MOST_TRIES = 5;

/**
 * Saves typed values over a known state. If the state has changed since, but in nothing that the form shows, it is saved all the same; else
 * nothing is, and the outcome names the differences.
 */
export async function saveOver<Name extends string>(
  { read, save }: Editable<Name>,
  start: FormValues<Name>,
  typed: FormValues<Name>,
  known: Versioned<FormValues<Name>>,
): Promise<Outcome<Name>> {
  let now = known;
  for (let attempt = 1; ; attempt++) {
    const comparison = compare(start, typed, now.value);
    if (comparison.differences.length > 0) return { kind: 'changed', now, ...comparison };
    try {
      return { kind: 'saved', now: await save(comparison.merged, now.tag) };
    } catch (error) {
      if (isGone(error)) return { kind: 'gone' };
      if (!isOutdated(error) || attempt === MOST_TRIES) throw error;
    }
    try {
      now = await read();
    } catch (error) {
      if (isGone(error)) return { kind: 'gone' };
      throw error;
    }
  }
}
