/** Lines of the largest batch. */
const LARGEST = 500;

/** Lines that a receiver takes at a time, as far as it has shown. */
export class BatchSize {
  private size = LARGEST;

  get limit(): number {
    return this.size;
  }

  /** A batch of so many lines was too large. */
  refused(count: number): void {
    this.size = Math.max(1, Math.floor(count / 2));
  }

  /** A batch was taken: the next may be a little larger. */
  taken(): void {
    this.size = Math.min(LARGEST, this.size + 1);
  }
}
