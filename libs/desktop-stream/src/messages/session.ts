import { bool, exactInt64, guid, MAX_NAME_LENGTH, MAX_TEXT_LENGTH, nullable, record, text } from '#libs/contracts/wire';

import { MAX_TEXT_MESSAGE_BYTES } from '../limits.js';
import { orDefault, whole } from '../types.js';
import { MessageSeverity } from './enums.js';

export const Ack = record('Ack', 'A message was dealt with: its size, and its time on the clock of its sender.', {
  receivedSize: whole,
  sendTimestamp: exactInt64,
});

export const ChangeDisplays = record('ChangeDisplays', 'Shows another display.', { displayId: text(MAX_NAME_LENGTH) });

export const ClipboardText = record('ClipboardText', 'The text of the clipboard; null if it has none.', {
  text: nullable(text(MAX_TEXT_MESSAGE_BYTES)),
  sessionId: guid,
});

export const Toggle = record('Toggle', 'Turns something on or off.', { isEnabled: bool });

export const ToggleResult = record('ToggleResult', 'The state after a toggle.', { isSuccess: bool, finalState: bool });

export const ToastNotification = record('ToastNotification', 'A sentence for the viewer.', {
  message: text(MAX_TEXT_LENGTH),
  severity: orDefault(MessageSeverity),
});

export const RemoteControlSessionError = record('RemoteControlSessionError', 'Something failed. A fatal failure ends the session.', {
  message: text(MAX_TEXT_LENGTH),
  isFatal: bool,
});
