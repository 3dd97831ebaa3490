import { execFile, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Display } from '../desktop/displays.js';
import { accountFor, environmentFor } from '../desktop/session-environment.js';
import { MAX_CHAT_LENGTH } from './chat-text.js';

const NOTIFY_TIMEOUT_MS = 5_000;
/** A dialog that cannot be shown, as without access to the display, usually ends within this time; on a busy machine later. */
const DIALOG_STARTS_MS = 1_000;
/** Exit codes of a dialog that was shown: answered, and closed without an answer. */
const SHOWN = new Set([0, 1]);

/** Message on a desktop: the conversation so far, and a hint how to answer without a dialog. */
export interface DesktopMessage {
  readonly title: string;
  readonly text: string;
  readonly hint: string;
}

/** Button of a dialog that ends the conversation. Its text is what the dialog prints then. */
const END = 'End chat';

/** Callbacks for the ways in which a dialog ends. */
export interface DialogEnds {
  readonly onAnswer: (answer: string) => void;
  readonly onEnd: () => void;
  /** Called when a dialog fails that seemed to be shown. */
  readonly onFailure: () => void;
}

/**
 * Opens a dialog with a field for an answer, under the account whose desktop it is. Returns a function that closes it; undefined
 * if it could not be shown, as where `zenity` is missing.
 */
export async function openDialog(
  display: Display,
  { title, text }: DesktopMessage,
  { onAnswer, onEnd, onFailure }: DialogEnds,
): Promise<(() => void) | undefined> {
  const args = [
    '--entry',
    `--title=${title}`,
    `--text=${zenityText(text)}`,
    '--width=480',
    '--ok-label=Send',
    '--cancel-label=Close',
    `--extra-button=${END}`,
  ];
  const dialog = spawn('zenity', args, { ...optionsFor(display), stdio: ['ignore', 'pipe', 'ignore'] });
  // The reason why a dialog ends is seen at its end.
  dialog.on('error', () => undefined);
  let answer = '';
  dialog.stdout?.setEncoding('utf8').on('data', (part: string) => {
    if (answer.length <= MAX_CHAT_LENGTH) answer += part;
  });
  let isTakenForShown = false;
  dialog.once('close', (code) => {
    if (code === 0) onAnswer(answer);
    else if (code === 1 && answer.trim() === END) onEnd();
    else if (isTakenForShown && code !== null && !SHOWN.has(code)) onFailure();
  });
  isTakenForShown = await isShown(dialog);
  return isTakenForShown ? () => void dialog.kill() : undefined;
}

/** Shows a notification, under the account whose desktop it is. False when none can be shown, as where `notify-send` is missing. */
export async function notify(display: Display, { title, text, hint }: DesktopMessage): Promise<boolean> {
  const body = markupOf(`${text}\n${hint}`);
  const args = ['--app-name=Device agent', '--urgency=critical', '--', title, body];
  return new Promise((resolve) => {
    execFile('notify-send', args, { ...optionsFor(display), timeout: NOTIFY_TIMEOUT_MS }, (error) => resolve(error === null));
  });
}

async function isShown(dialog: ChildProcess): Promise<boolean> {
  const failed = once(dialog, 'close').then(
    ([code]: unknown[]) => !(typeof code === 'number' && SHOWN.has(code)),
    () => true,
  );
  const waiting = new AbortController();
  try {
    return !(await Promise.race([failed, delay(DIALOG_STARTS_MS, false, { signal: waiting.signal })]));
  } finally {
    waiting.abort();
  }
}

function optionsFor(display: Display): SpawnOptions {
  return { env: environmentFor(display), ...accountFor(display) };
}

/** zenity reads escapes of C, and underlines what follows a `_`. */
function zenityText(text: string): string {
  return text.replaceAll('\\', String.raw`\\`).replaceAll('_', '__');
}

/** Notifications may be shown as markup. */
function markupOf(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
