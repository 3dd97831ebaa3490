import { describe, expect, it } from 'vitest';

import { ProblemError } from '../problem/problem.js';
import { changeNow, MOST_ATTEMPTS } from './change-now.js';

/** A field as the service keeps it: it refuses changes of an older state. */
class Stored {
  state = 1;
  value = { name: 'Rack', position: 1 };
  saves = 0;
  /** Changes by another editor just before a change arrives. */
  beforeSave: () => void = () => undefined;

  readonly read = async () => Promise.resolve({ value: this.value, tag: String(this.state) });

  readonly moveUp = async ({ name, position }: Stored['value'], tag: string | null): Promise<void> => {
    this.saves += 1;
    this.beforeSave();
    if (tag !== String(this.state)) throw new ProblemError(412, {});
    this.become({ name, position: position - 1 });
    return Promise.resolve();
  };

  become(value: Stored['value']): void {
    this.value = value;
    this.state += 1;
  }
}

describe('a change of what is stored now', () => {
  it("keeps another editor's change that came in between", async () => {
    const stored = new Stored();
    stored.beforeSave = () => {
      if (stored.saves === 1) stored.become({ name: 'Rack unit', position: 1 });
    };
    await changeNow(stored.read, stored.moveUp);
    expect(stored.value).toEqual({ name: 'Rack unit', position: 0 });
    expect(stored.saves).toBe(2);
  });

  it('gives up when others change the same thing again and again', async () => {
    const stored = new Stored();
    stored.beforeSave = () => stored.become(stored.value);
    await expect(changeNow(stored.read, stored.moveUp)).rejects.toMatchObject({ status: 412 });
    expect(stored.saves).toBe(MOST_ATTEMPTS);
  });

  it('tries a change that was refused for another reason once', async () => {
    let tries = 0;
    const refuse = async (): Promise<never> => {
      tries += 1;
      return Promise.reject(new ProblemError(403, {}));
    };
    await expect(changeNow(new Stored().read, refuse)).rejects.toMatchObject({ status: 403 });
    expect(tries).toBe(1);
  });
});
