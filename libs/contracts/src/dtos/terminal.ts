import { PwshCompletionMatchType, TerminalMode, TerminalOutputKind } from '../enums.js';
import { arrayOf, nullable, optional, record, withDefault } from '../wire/composites.js';
import { MAX_IDENTIFIER_LENGTH, MAX_TEXT_LENGTH } from '../wire/limits.js';
import { bool, guid, int32, text, timestamp } from '../wire/primitives.js';
import type { Infer } from '../wire/wire-type.js';

/**
 * Input of a viewer. Without the optional members `input` is one command line, answered when the command has ended.
 *
 * Raw mode (this project's addition to the contract, used only after the agent has set `supportsRaw` in an output):
 * `mode: Raw` makes `input` what was typed, passed to the terminal as it is, control characters and all. The first raw input
 * of a session starts an interactive shell on a terminal of `columns` by `rows` characters; with later ones they resize it.
 * An empty `input` only resizes. An input without `mode`, or with `mode: Line`, takes the session back to line mode.
 */
export const TerminalInputDto = record('TerminalInputDto', {
  terminalId: guid,
  input: text(MAX_TEXT_LENGTH),
  viewerConnectionId: nullable(text(MAX_IDENTIFIER_LENGTH)),
  mode: optional(TerminalMode),
  columns: optional(int32),
  rows: optional(int32),
});
export type TerminalInputDto = Infer<typeof TerminalInputDto>;

/**
 * Output for a viewer. `supportsRaw` is set with the first output of a session by an agent that knows raw mode.
 * With `mode: Raw`, `output` is what the terminal printed, escape sequences included, to be shown without adding line ends.
 */
export const TerminalOutputDto = record('TerminalOutputDto', {
  terminalId: guid,
  output: text(MAX_TEXT_LENGTH),
  outputKind: TerminalOutputKind,
  timestamp,
  supportsRaw: optional(bool),
  mode: optional(TerminalMode),
});
export type TerminalOutputDto = Infer<typeof TerminalOutputDto>;

export const PwshCompletionsRequestDto = record('PwshCompletionsRequestDto', {
  deviceId: guid,
  terminalId: guid,
  lastCompletionInput: text(MAX_TEXT_LENGTH),
  lastCursorIndex: int32,
  viewerConnectionId: text(MAX_IDENTIFIER_LENGTH),
  forward: nullable(bool),
  page: int32,
  pageSize: withDefault(int32, 50),
});
export type PwshCompletionsRequestDto = Infer<typeof PwshCompletionsRequestDto>;

export const PwshCompletionMatch = record('PwshCompletionMatch', {
  completionText: text(MAX_TEXT_LENGTH),
  listItemText: text(MAX_TEXT_LENGTH),
  matchType: PwshCompletionMatchType,
  toolTip: text(MAX_TEXT_LENGTH),
});
export type PwshCompletionMatch = Infer<typeof PwshCompletionMatch>;

export const PwshCompletionsResponseDto = record('PwshCompletionsResponseDto', {
  replacementIndex: int32,
  replacementLength: int32,
  completionMatches: arrayOf(PwshCompletionMatch),
  hasMorePages: bool,
  totalCount: int32,
  currentPage: int32,
});
export type PwshCompletionsResponseDto = Infer<typeof PwshCompletionsResponseDto>;
