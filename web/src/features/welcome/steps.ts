/** The steps of the first run, in their order. */
export const STEPS = ['tenant', 'device', 'security', 'colleague'] as const;

export type Step = (typeof STEPS)[number];

/** What the user may do, for the steps that not everybody can take. */
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

/** The first step that is neither done nor skipped; null when nothing is left. */
export const nextStep = (steps: readonly Step[], settled: readonly Step[]): Step | null =>
  steps.find((step) => !settled.includes(step)) ?? null;

const keyOf = (tenantId: string): string => `welcome-${tenantId}`;

/** The steps that were done or skipped in this browser. */
export function readSettled(tenantId: string): readonly Step[] {
  const stored = (localStorage.getItem(keyOf(tenantId)) ?? '').split(' ');
  return STEPS.filter((step) => stored.includes(step));
}

export function writeSettled(tenantId: string, settled: readonly Step[]): void {
  localStorage.setItem(keyOf(tenantId), settled.join(' '));
}
