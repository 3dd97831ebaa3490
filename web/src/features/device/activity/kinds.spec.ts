import { expect, it } from 'vitest';

import { viewIn } from './kinds.js';

const PERSON = '019a5b3c-0000-7000-8000-000000000001';

it('takes the kind and the person from an address, and drops what the service would refuse', () => {
  expect(viewIn({ kind: 'Terminal', person: PERSON })).toEqual({ kind: 'Terminal', person: PERSON });
  expect(viewIn({ kind: 'terminal', person: 'anna' })).toEqual({ kind: undefined, person: undefined });
  expect(viewIn({})).toEqual({ kind: undefined, person: undefined });
});
