import { PwshCompletionMatchType, TerminalMode, TerminalOutputKind } from '../enums.js';
import { arrayOf, nullable, optional, record, withDefault } from '../wire/composites.js';
import { MAX_IDENTIFIER_LENGTH, MAX_TEXT_LENGTH } from '../wire/limits.js';
import { bool, guid, int32, text, timestamp } from '../wire/primitives.js';
import type { Infer } from '../wire/wire-type.js';

export const TerminalInputDto = record(
  'TerminalInputDto',
  'Input for a terminal: one command line, or in raw mode the keys as they are typed. A viewer may use raw mode after the agent ' +
    'has set `supportsRaw` in an output. The first raw input of a session starts an interactive shell; an input without `mode`, or ' +
    'with `mode: Line`, takes the session back to command lines.',
  {
    terminalId: guid,
    input: text(MAX_TEXT_LENGTH),
    viewerConnectionId: nullable(text(MAX_IDENTIFIER_LENGTH)),
    mode: optional(TerminalMode),
    columns: optional(int32),
    rows: optional(int32),
  },
  {
    input:
      'A command line without its line end; in raw mode the typed characters, with control characters. An empty raw input only resizes the terminal.',
    viewerConnectionId: 'Set by the server: the connection that gets the output.',
    columns: 'The width of the terminal in characters, in raw mode. A new value resizes it.',
    rows: 'The height of the terminal in characters, in raw mode. A new value resizes it.',
  },
);
export type TerminalInputDto = Infer<typeof TerminalInputDto>;

export const TerminalOutputDto = record(
  'TerminalOutputDto',
  'Output of a terminal.',
  {
    terminalId: guid,
    output: text(MAX_TEXT_LENGTH),
    outputKind: TerminalOutputKind,
    timestamp,
    supportsRaw: optional(bool),
    mode: optional(TerminalMode),
  },
  {
    output: 'One or more lines; in raw mode the printed text with its escape sequences, to be shown without additional line ends.',
    supportsRaw: 'Set in the first output of a session by an agent that knows raw mode.',
  },
);
export type TerminalOutputDto = Infer<typeof TerminalOutputDto>;

export const PwshCompletionsRequestDto = record(
  'PwshCompletionsRequestDto',
  'A command line to complete.',
  {
    deviceId: guid,
    terminalId: guid,
    lastCompletionInput: text(MAX_TEXT_LENGTH),
    lastCursorIndex: int32,
    viewerConnectionId: text(MAX_IDENTIFIER_LENGTH),
    forward: nullable(bool),
    page: int32,
    pageSize: withDefault(int32, 50),
  },
  {
    lastCompletionInput: 'The command line.',
    lastCursorIndex: 'The position of the cursor in the command line, from 0.',
    viewerConnectionId: 'Set by the server.',
    forward: 'Null asks for a page of completions, true for only the next completion, false for only the previous one.',
    page: 'The page of completions, from 0.',
    pageSize: 'The number of completions on one page.',
  },
);
export type PwshCompletionsRequestDto = Infer<typeof PwshCompletionsRequestDto>;

export const PwshCompletionMatch = record(
  'PwshCompletionMatch',
  'One completion.',
  {
    completionText: text(MAX_TEXT_LENGTH),
    listItemText: text(MAX_TEXT_LENGTH),
    matchType: PwshCompletionMatchType,
    toolTip: text(MAX_TEXT_LENGTH),
  },
  {
    listItemText: 'The text for a list of completions.',
    toolTip: 'An explanation of the completion.',
  },
);
export type PwshCompletionMatch = Infer<typeof PwshCompletionMatch>;

export const PwshCompletionsResponseDto = record(
  'PwshCompletionsResponseDto',
  'Completions of a command line, one page of them.',
  {
    replacementIndex: int32,
    replacementLength: int32,
    completionMatches: arrayOf(PwshCompletionMatch),
    hasMorePages: bool,
    totalCount: int32,
    currentPage: int32,
  },
  {
    replacementIndex: 'The position in the command line at which the completion begins, from 0.',
    replacementLength: 'The number of characters that it replaces.',
    totalCount: 'The number of completions on all pages.',
    currentPage: 'From 0.',
  },
);
export type PwshCompletionsResponseDto = Infer<typeof PwshCompletionsResponseDto>;
