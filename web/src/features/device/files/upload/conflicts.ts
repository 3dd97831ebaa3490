/** Answer to a taken file name. */
export type ConflictAnswer = 'overwrite' | 'keep-both' | 'skip';

/** Names that differ only in case are the same name on Windows and usually on macOS. Treating them so elsewhere does no harm. */
const sameAs = (name: string): string => name.toLocaleLowerCase('en');

/** The names that are taken in a folder. */
export class TakenNames {
  private readonly names: Set<string>;

  constructor(names: Iterable<string>) {
    this.names = new Set([...names].map(sameAs));
  }

  has(name: string): boolean {
    return this.names.has(sameAs(name));
  }

  add(name: string): void {
    this.names.add(sameAs(name));
  }

  /** A free name beside a taken one: `report (2).pdf`. */
  beside(name: string): string {
    const dot = name.lastIndexOf('.');
    const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    for (let number = 2; ; number += 1) {
      const next = `${stem} (${number})${extension}`;
      if (!this.has(next)) return next;
    }
  }
}
