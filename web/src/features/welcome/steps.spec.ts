import { describe, expect, it } from 'vitest';

import { AT_THE_START, nextStep, readProgress, stepsFor, withStep, writeProgress } from './steps.js';

describe('the steps of the first run', () => {
  it('offers the first steps that the user may take', () => {
    expect(stepsFor({ mayNameTenant: true, mayInstall: true, mayInvite: true })).toEqual(['tenant', 'device', 'security', 'colleague']);
    expect(stepsFor({ mayNameTenant: false, mayInstall: false, mayInvite: false })).toEqual(['security']);
  });

  it('goes to the next step, past done and skipped ones', () => {
    const steps = stepsFor({ mayNameTenant: false, mayInstall: true, mayInvite: true });
    expect(nextStep(steps, [])).toBe('device');
    expect(nextStep(steps, ['security'])).toBe('device');
    expect(nextStep(steps, ['device', 'security'])).toBe('colleague');
    expect(nextStep(steps, ['device', 'security', 'colleague'])).toBeNull();
  });
});

describe('the progress of the first run', () => {
  it('keeps done steps apart from skipped ones', () => {
    const skipped = withStep(AT_THE_START, 'device', 'skipped');
    const done = withStep(withStep(skipped, 'tenant', 'done'), 'device', 'done');

    expect(skipped).toEqual({ done: [], skipped: ['device'], isDismissed: false });
    expect(done).toEqual({ done: ['tenant', 'device'], skipped: [], isDismissed: false });
  });

  it('reads progress back as it was stored, and lets nobody begin twice', () => {
    const progress = { done: ['tenant'], skipped: ['security'], isDismissed: true } as const;

    expect(readProgress(writeProgress(progress))).toEqual(progress);
    expect(readProgress(null)).toBeNull();
    for (const text of ['', '[', 'null', '7', '{"done":"x","skipped":["y"]}']) expect(readProgress(text)).toEqual(AT_THE_START);
  });
});
