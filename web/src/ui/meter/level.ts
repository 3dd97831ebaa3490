export type Level = 'normal' | 'warn' | 'bad';

/** Whether a share wants attention. */
export function levelOf(share: number, warnFrom: number, badFrom: number): Level {
  if (share >= badFrom) return 'bad';
  return share >= warnFrom ? 'warn' : 'normal';
}
