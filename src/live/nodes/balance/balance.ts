import type { BalanceBounds } from './balance-bounds.js';

/** A node that reports, with its share of the connections. */
export interface NodeShare {
  readonly id: string;
  readonly isDraining: boolean;
  /** False for a node that has just started. */
  readonly isSettled: boolean;
  readonly connections: number;
}

/** A node's letting go of agents, from its beginning on. */
export interface LettingGo {
  /** Number of its connections at the beginning. */
  readonly begunWith: number;
  /** Agents that were let go. */
  readonly released: number;
}

type Bounds = Pick<BalanceBounds, 'above' | 'downTo' | 'floor'>;

/**
 * Number of connections that a node has too many; 0 while it keeps all. None is let go while any node drains: then agents move anyway, and
 * the mean is about to change.
 */
export function surplusOf(nodeId: string, shares: readonly NodeShare[], lettingGo: LettingGo | null, bounds: Bounds): number {
  if (shares.some(({ isDraining }) => isDraining)) return 0;
  const settled = shares.filter(({ isSettled }) => isSettled);
  const own = settled.find(({ id }) => id === nodeId);
  if (own === undefined || settled.length < 2 || own.connections <= bounds.floor) return 0;
  const mean = settled.reduce((sum, { connections }) => sum + connections, 0) / settled.length;
  const limit = mean * (lettingGo === null ? bounds.above : bounds.downTo);
  return own.connections <= limit ? 0 : Math.ceil(own.connections - mean * bounds.downTo);
}

/** Checks that agents come back to the node that lets them go: nothing gives them to the others. */
export function isInVain(
  { begunWith, released }: LettingGo,
  connections: number,
  { trial, staysAway }: Pick<BalanceBounds, 'trial' | 'staysAway'>,
): boolean {
  return released >= trial && begunWith - connections < released * staysAway;
}
