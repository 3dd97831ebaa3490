/** Urgency of new recovery codes, by the number of unused ones: people who lose their phone need one. */
export type RecoveryWarning = 'none' | 'few' | 'last' | 'gone';

export function recoveryWarning(left: number): RecoveryWarning {
  if (left === 0) return 'gone';
  if (left === 1) return 'last';
  return left <= 3 ? 'few' : 'none';
}
