/** Divisor of the part of a total that stays for others while one user has it alone. */
const RESERVE_PART = 8;

/** Returns the share of a total that one of several may have while it is alone, which leaves a part for the next. */
export function shareAlone(total: number): number {
  return total - Math.max(Math.min(1, total - 1), Math.floor(total / RESERVE_PART));
}

/** Returns the share of a total that one of several may have beside others. */
export function shareBeside(total: number): number {
  return Math.ceil(total / 2);
}

/**
 * Divides a total, such as places or bytes, among its users: one that is alone may have nearly all of it, and beside others none gets more
 * once it has half. A user keeps what it had before the others came.
 */
export class Shares {
  private readonly used = new Map<string, number>();
  private inAll = 0;

  /** @param total is asked each time, because it may be set while some is in use */
  constructor(private readonly total: () => number) {}

  /** The amount that is in use. */
  get taken(): number {
    return this.inAll;
  }

  /** Checks whether there is room for so much more. */
  hasRoomFor(user: string, amount = 1): boolean {
    if (this.inAll + amount > this.total()) return false;
    return (this.used.get(user) ?? 0) + amount <= this.shareOf(user);
  }

  /** Takes so much, if there is room for it; each amount that was taken is given back. */
  take(user: string, amount = 1): boolean {
    if (amount === 0) return true;
    if (!this.hasRoomFor(user, amount)) return false;
    this.add(user, amount);
    return true;
  }

  /** Counts what was taken already, whether there was room for it or not. */
  add(user: string, amount = 1): void {
    this.inAll += amount;
    this.used.set(user, (this.used.get(user) ?? 0) + amount);
  }

  give(user: string, amount = 1): void {
    const left = (this.used.get(user) ?? 0) - amount;
    this.inAll -= amount;
    if (left > 0) this.used.set(user, left);
    else this.used.delete(user);
  }

  private shareOf(user: string): number {
    const others = this.used.size - (this.used.has(user) ? 1 : 0);
    return others === 0 ? shareAlone(this.total()) : shareBeside(this.total());
  }
}
