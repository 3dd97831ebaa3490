export type Level = 'normal' | 'warn' | 'bad';

/** Level of attention that a share wants. */
export function levelOf(share: number, warnFrom: number, badFrom: number): Level {
  if (share >= badFrom) return 'bad';
  return share >= warnFrom ? 'warn' : 'normal';
}
