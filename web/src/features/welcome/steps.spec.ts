import { describe, expect, it } from 'vitest';

import { nextStep, stepsFor } from './steps.js';

describe('the steps of the first run', () => {
  it('are those that the user may take', () => {
    expect(stepsFor({ mayNameTenant: true, mayInstall: true, mayInvite: true })).toEqual(['tenant', 'device', 'security', 'colleague']);
    expect(stepsFor({ mayNameTenant: false, mayInstall: false, mayInvite: false })).toEqual(['security']);
  });

  it('follow each other, past those that are settled', () => {
    const steps = stepsFor({ mayNameTenant: false, mayInstall: true, mayInvite: true });
    expect(nextStep(steps, [])).toBe('device');
    expect(nextStep(steps, ['security'])).toBe('device');
    expect(nextStep(steps, ['device', 'security'])).toBe('colleague');
    expect(nextStep(steps, ['device', 'security', 'colleague'])).toBeNull();
  });
});
