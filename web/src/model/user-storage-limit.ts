/** Longest text that the user storage of the service takes, in characters. */
export const LONGEST_TEXT = 2048;
