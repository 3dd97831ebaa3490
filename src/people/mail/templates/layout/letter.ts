/** The sender of a letter. */
export interface Letterhead {
  /** The name of the service, as recipients know it. */
  readonly serviceName: string;
  /** The public address of the service. */
  readonly serviceAddress: string;
}

/** The action that a letter asks of its reader. */
export interface Action {
  /** The words on the button. */
  readonly label: string;
  readonly link: string;
}

/** A mail in words, without its looks. All of it is plain text. */
export interface Letter {
  readonly subject: string;
  /** Text that lists of mails show after the subject. */
  readonly preview: string;
  readonly title: string;
  /** Paragraphs before the button. */
  readonly before: readonly string[];
  /** Facts about the event, as pairs of a word and a value. */
  readonly facts?: readonly (readonly [string, string])[];
  readonly action?: Action;
  /** Paragraphs after the button. */
  readonly after: readonly string[];
}
