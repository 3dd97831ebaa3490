import { afterEach, describe, expect, it, vi } from 'vitest';

import { newAct } from './act.js';

describe('a new act', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('has an id of its own', () => {
    expect(newAct().traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(newAct()).not.toEqual(newAct());
  });

  it('can be made on a page without a secure connection', () => {
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
    expect(newAct().traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  });
});
