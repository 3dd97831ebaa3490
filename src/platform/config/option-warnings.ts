/** Kind of a likely mistake in the configuration. */
export enum OptionMistake {
  /** A name that is no option. */
  Unknown = 'Unknown',
  /** A value that changes nothing. */
  WithoutEffect = 'WithoutEffect',
  /** Options that contradict each other. */
  Contradiction = 'Contradiction',
}

/** A likely mistake in the configuration, as a sentence for the operator. */
export interface OptionWarning {
  readonly mistake: OptionMistake;
  readonly text: string;
}

/** Makes warnings of one kind. */
export function warningsOf(mistake: OptionMistake, texts: readonly string[]): OptionWarning[] {
  return texts.map((text) => ({ mistake, text }));
}
