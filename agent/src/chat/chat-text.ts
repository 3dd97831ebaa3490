import { RefusedError } from '../failures.js';

/** Most characters of a message and of an answer. */
export const MAX_CHAT_LENGTH = 4_000;
const MAX_NAME_LENGTH = 100;
/**
 * Characters that terminals and desktops obey instead of showing: control characters, which begin all escape sequences, and the marks that
 * change the direction of text.
 */
const COMMANDS = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029]/gu;
/** Joins emoji and letters of some scripts, and changes nothing else. */
const JOINERS = new Set(['\u200c', '\u200d']);

/** The text in lines, of characters that can only be seen. */
export function plainLines(text: string): string[] {
  return text
    .replaceAll('\t', ' ')
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => line.replaceAll(COMMANDS, (character) => (JOINERS.has(character) ? character : '')).trimEnd());
}

/** A name in one line. */
export function plainName(text: string, unnamed = 'Support'): string {
  return plainLines(text).join(' ').trim().slice(0, MAX_NAME_LENGTH) || unnamed;
}

/** The lines of a message from the network. Throws RefusedError for one that cannot be shown as a whole. */
export function messageLines(text: string): string[] {
  if (text.length > MAX_CHAT_LENGTH) throw new RefusedError(`A message may have at most ${MAX_CHAT_LENGTH} characters.`);
  const lines = plainLines(text);
  if (lines.every((line) => line.trim() === '')) throw new RefusedError('The message is empty.');
  return lines;
}

/** The answer that ends a conversation. */
const END = /^\s*\/end\s*$/i;

/** True if an answer ends the conversation instead. */
export const endsConversation = (answer: string): boolean => END.test(answer);

/** A message as terminals show it, with a bell. `answerPath` is where an answer is written to. */
export function terminalMessage(sender: string, lines: readonly string[], at: Date, answerPath: string | undefined): string {
  const hint =
    answerPath === undefined ? [] : [`To answer: echo 'your answer' > ${answerPath}`, `To end the conversation: echo /end > ${answerPath}`];
  const text = [`Message from ${sender} at ${at.toTimeString().slice(0, 5)}:`, ...lines.map((line) => `  ${line}`), ...hint];
  return `\r\n\u0007${text.join('\r\n')}\r\n`;
}

/** Text on terminals when a conversation has ended. */
export function terminalFarewell(sender: string): string {
  return `\r\nThe conversation with ${sender} has ended.\r\n`;
}
