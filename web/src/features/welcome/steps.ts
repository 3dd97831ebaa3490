/** The steps of the first run, in their order. */
const STEPS = ['tenant', 'device', 'security', 'colleague'] as const;

export type Step = (typeof STEPS)[number];

/** Permissions of the user, for the steps that not every user can take. */
export interface Abilities {
  readonly mayNameTenant: boolean;
  readonly mayInstall: boolean;
  readonly mayInvite: boolean;
}

/** The steps that this user can take. Everybody can secure their own account. */
export function stepsFor({ mayNameTenant, mayInstall, mayInvite }: Abilities): readonly Step[] {
  const allowed: Readonly<Record<Step, boolean>> = { tenant: mayNameTenant, device: mayInstall, security: true, colleague: mayInvite };
  return STEPS.filter((step) => allowed[step]);
}

/** The first step that was not passed; null when nothing is left. */
export const nextStep = (steps: readonly Step[], passed: readonly Step[]): Step | null =>
  steps.find((step) => !passed.includes(step)) ?? null;

/** Progress of a user. */
export interface Progress {
  readonly done: readonly Step[];
  readonly skipped: readonly Step[];
  /** The user does not want to see the first steps any more. */
  readonly isDismissed: boolean;
}

export const AT_THE_START: Progress = { done: [], skipped: [], isDismissed: false };

/** Progress after one more step. A done step is no longer skipped. */
export const withStep = ({ done, skipped, isDismissed }: Progress, step: Step, end: 'done' | 'skipped'): Progress => ({
  done: end === 'done' ? inOrder([...done, step]) : done,
  skipped: end === 'done' ? skipped.filter((each) => each !== step) : inOrder([...skipped, step]),
  isDismissed,
});

const inOrder = (steps: readonly unknown[]): readonly Step[] => STEPS.filter((step) => steps.includes(step));

export const writeProgress = (progress: Progress): string => JSON.stringify(progress);

/** Progress as it was stored; null for a user who has not begun. An unreadable text counts as begun: nobody is led here twice. */
export function readProgress(text: string | null): Progress | null {
  if (text === null) return null;
  try {
    const stored = JSON.parse(text) as { readonly [name: string]: unknown } | null;
    const stepsIn = (value: unknown): readonly Step[] => (Array.isArray(value) ? inOrder(value) : []);
    return { done: stepsIn(stored?.done), skipped: stepsIn(stored?.skipped), isDismissed: stored?.isDismissed === true };
  } catch {
    return AT_THE_START;
  }
}
