import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { EXTERNAL_ERRORS, externalErrorText } from './external-errors.js';

interface Description {
  readonly paths: Readonly<Record<string, { readonly get: { readonly description: string } }>>;
}

describe('the errors of a sign-in at another provider', () => {
  it('knows the errors that the service describes', () => {
    const file = new URL('../../../../openapi/account.json', import.meta.url);
    const { paths } = JSON.parse(readFileSync(file, 'utf8')) as Description;
    const described = [...paths['/account/external/{provider}/start'].get.description.matchAll(/^- `(\w+)`:/gm)].map(([, code]) => code);
    expect([...EXTERNAL_ERRORS].sort()).toEqual(described.sort());
  });

  it('has words of its own for each error', () => {
    expect(new Set(EXTERNAL_ERRORS.map(externalErrorText)).size).toBe(EXTERNAL_ERRORS.length);
  });

  it('does not repeat an unknown code from an address', () => {
    expect(externalErrorText('Call 555-0100')).not.toContain('555');
  });
});
