/**
 * Counts unauthenticated connections by their source: those without a user that the program has not vouched for yet. Anybody may open such
 * connections, so their number is limited.
 */
export class UnauthenticatedConnections {
  readonly #bySource = new Map<string, number>();

  constructor(private readonly limits: { readonly maximumUnauthenticatedPerSource: number }) {}

  /** True if the source may have another one. */
  hasRoom(source: string): boolean {
    return (this.#bySource.get(source) ?? 0) < this.limits.maximumUnauthenticatedPerSource;
  }

  add(source: string): void {
    this.#bySource.set(source, (this.#bySource.get(source) ?? 0) + 1);
  }

  /** Notes that a connection was vouched for, or has ended. */
  remove(source: string): void {
    const count = this.#bySource.get(source) ?? 0;
    if (count > 1) this.#bySource.set(source, count - 1);
    else this.#bySource.delete(source);
  }
}
