/** The calls of other nodes that this node has begun and not answered yet, by caller and number. */
export class ServedCalls {
  private readonly numbers = new Map<string, Set<number>>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  begin(caller: string, number: number): void {
    const numbers = this.numbers.get(caller);
    if (numbers === undefined) this.numbers.set(caller, new Set([number]));
    else numbers.add(number);
    this.count += 1;
  }

  end(caller: string, number: number): void {
    const numbers = this.numbers.get(caller);
    if (numbers?.delete(number) !== true) return;
    this.count -= 1;
    if (numbers.size === 0) this.numbers.delete(caller);
  }

  /** Those of the caller's calls that this node does not serve: they have been answered, or never came. What is no number is left out. */
  unknown(caller: string, numbers: readonly unknown[]): readonly number[] {
    const served = this.numbers.get(caller);
    return numbers.filter((number): number is number => Number.isSafeInteger(number) && served?.has(Number(number)) !== true);
  }
}
