import { beforeAll, describe, expect, it } from 'vitest';

import { loadPermissionNames } from '../i18n/loaded-permission-names.js';
import { ProblemError } from '../problem/problem.js';
import { describeProblem } from './problem-text.js';

beforeAll(loadPermissionNames);

describe('the sentence for a refusal', () => {
  const refused = (detail: string | undefined, missing: string | null = 'tenant.users.write'): string =>
    describeProblem(new ProblemError(403, { title: 'Forbidden.', detail }, missing));

  it('names the missing permission once, by its display name', () => {
    const sentence = 'You need the permission “Manage Tenant Users”.';
    expect(refused('The permission tenant.users.write is required.')).toBe(sentence);
    expect(refused(undefined)).toBe(sentence);
  });

  it('keeps what else the service says, with display names in it', () => {
    expect(refused('The group denies device.read: deleting it requires tenant.users.write.')).toBe(
      'The group denies “Read Device”: deleting it requires “Manage Tenant Users”.',
    );
    expect(refused('Devices are not shown here.')).toBe('Devices are not shown here. You need the permission “Manage Tenant Users”.');
  });

  it('is that of the service where no permission is missing', () => {
    for (const said of ['Confirm your e-mail address first.', 'settings.json is no folder.']) expect(refused(said, null)).toBe(said);
    expect(refused('Ask someone with the permission tenant.users.write.', null)).toBe(
      'Ask someone with the permission “Manage Tenant Users”.',
    );
  });
});

it('a failure without a reason is that of the agent', () => {
  expect(describeProblem(new ProblemError(409, { detail: 'An error occurred while sending the wake command.' }))).toBe(
    'The agent did not respond.',
  );
});
