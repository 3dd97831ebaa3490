import { describe, expect, it } from 'vitest';

import { ProblemError } from '../../problem/problem.js';
import type { Versioned } from '../../state/versioned.js';
import type { FormValues } from '../form/Form.js';
import { type Editable, MOST_TRIES, saveOver } from './save-over.js';

type Field = keyof typeof START;

/** A thing as the service keeps it: it refuses changes of an older state. */
class Stored implements Editable<Field> {
  /** Value outside of the form that is part of the state as well. */
  others = 0;
  saves: readonly (string | null)[] = [];
  isGone = false;
  /** Changes by other editors just before a change arrives. */
  beforeSave: () => void = () => undefined;

  constructor(public values: FormValues<Field>) {}

  get version(): Versioned<FormValues<Field>> {
    return { value: this.values, tag: JSON.stringify([this.values, this.others]) };
  }

  readonly read = async (): Promise<Versioned<FormValues<Field>>> => {
    if (this.isGone) throw new ProblemError(404, {});
    return Promise.resolve(this.version);
  };

  readonly save = async (values: FormValues<Field>, tag: string | null): Promise<Versioned<FormValues<Field>>> => {
    this.beforeSave();
    this.saves = [...this.saves, tag];
    if (this.isGone) throw new ProblemError(404, {});
    if (tag !== null && tag !== this.version.tag) throw new ProblemError(412, { detail: 'Precondition failed.' });
    this.values = values;
    return Promise.resolve(this.version);
  };
}

const START = { name: 'Acme', notes: '' };
const TYPED = { name: 'Acme Dental', notes: '' };

describe('saving typed values', () => {
  it('saves over the state that was read, and returns the new one', async () => {
    const stored = new Stored(START);
    const { tag } = stored.version;
    expect(await saveOver(stored, START, TYPED, stored.version)).toEqual({ kind: 'saved', now: { value: TYPED, tag: stored.version.tag } });
    expect(stored.saves).toEqual([tag]);
  });

  it("leaves another editor's values, and returns the differences", async () => {
    const stored = new Stored(START);
    const read = stored.version;
    stored.values = { name: 'Acme Group', notes: '' };
    expect(await saveOver(stored, START, TYPED, read)).toMatchObject({
      kind: 'changed',
      now: stored.version,
      differences: [{ field: 'name', yours: 'Acme Dental', theirs: 'Acme Group' }],
    });
    expect(stored.values).toEqual({ name: 'Acme Group', notes: '' });
  });

  it('saves again if no change concerns the form', async () => {
    const stored = new Stored(START);
    const read = stored.version;
    stored.others = 1;
    expect(await saveOver(stored, START, TYPED, read)).toMatchObject({ kind: 'saved' });
    expect(stored.values).toEqual(TYPED);
    expect(stored.saves).toHaveLength(2);
  });

  it('says that the thing is gone, whether saving or reading finds it', async () => {
    const deleted = new Stored(START);
    deleted.isGone = true;
    expect(await saveOver(deleted, START, TYPED, deleted.version)).toEqual({ kind: 'gone' });
    const refusing = new Stored(START);
    const save = (): Promise<never> => Promise.reject(new ProblemError(412, {}));
    refusing.isGone = true;
    expect(await saveOver({ read: refusing.read, save }, START, TYPED, refusing.version)).toEqual({ kind: 'gone' });
  });

  it('gives up if the state changes with every try', async () => {
    const stored = new Stored(START);
    stored.beforeSave = () => (stored.others += 1);
    await expect(saveOver(stored, START, TYPED, stored.version)).rejects.toMatchObject({ status: 412 });
    expect(stored.saves).toHaveLength(MOST_TRIES);
  });

  it('passes on the reason of a refusal', async () => {
    const stored = new Stored(START);
    const save = (): Promise<never> => Promise.reject(new ProblemError(400, { errors: { Name: ['It is taken.'] } }));
    await expect(saveOver({ read: stored.read, save }, START, TYPED, stored.version)).rejects.toMatchObject({ status: 400 });
  });
});
