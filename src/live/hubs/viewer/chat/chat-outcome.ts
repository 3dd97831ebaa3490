/** The outcome of an answer in a chat: the viewer took it, declined it, or no viewer has that conversation (any more). */
export type ChatOutcome = 'taken' | 'declined' | 'nobody';
