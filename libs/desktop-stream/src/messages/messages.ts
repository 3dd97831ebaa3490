import type { ContractType, Infer } from '#libs/contracts/wire';

import { nothing } from '../types.js';
import { UpdateCaptureSettings } from './capture-settings.js';
import { KeyEvent, MouseButtonEvent, MouseClick, MovePointer, TypeText, WheelScroll } from './input.js';
import { CaptureMetricsChanged, CursorChanged, DisplayData, ScreenRegion, ScreenRegions, VideoStreamPacket } from './screen.js';
import { Ack, ChangeDisplays, ClipboardText, RemoteControlSessionError, ToastNotification, Toggle, ToggleResult } from './session.js';

/** The side that sends a message. */
export type Sender = 'viewer' | 'agent' | 'both';

/** A kind of message: its number, its sender, and what its payload is. */
interface MessageKind<S extends Sender, T> {
  readonly type: number;
  readonly from: S;
  readonly payload: ContractType<T>;
}

function from<const S extends Sender, T>(sender: S, type: number, payload: ContractType<T>): MessageKind<S, T> {
  return { type, from: sender, payload };
}

/** All messages of a remote control session by their names. */
export const messages = {
  ChangeDisplays: from('viewer', 17, ChangeDisplays),
  CloseRemoteControlSession: from('viewer', 19, nothing('list')),
  ClipboardText: from('both', 21, ClipboardText),
  DisplayData: from('agent', 23, DisplayData),
  MovePointer: from('viewer', 26, MovePointer),
  MouseButtonEvent: from('viewer', 27, MouseButtonEvent),
  KeyEvent: from('viewer', 28, KeyEvent),
  TypeText: from('viewer', 29, TypeText),
  ResetKeyboardState: from('viewer', 30, nothing('list')),
  WheelScroll: from('viewer', 31, WheelScroll),
  ScreenRegion: from('agent', 32, ScreenRegion),
  MouseClick: from('viewer', 33, MouseClick),
  CursorChanged: from('agent', 34, CursorChanged),
  RequestClipboardText: from('viewer', 35, nothing('map')),
  WindowsSessionEnding: from('agent', 36, nothing('map')),
  WindowsSessionSwitched: from('agent', 37, nothing('map')),
  Ack: from('both', 39, Ack),
  CaptureMetricsChanged: from('agent', 40, CaptureMetricsChanged),
  RequestKeyFrame: from('viewer', 41, nothing('map')),
  VideoStreamPacket: from('agent', 42, VideoStreamPacket),
  ToggleBlockInput: from('viewer', 43, Toggle),
  ToastNotification: from('agent', 44, ToastNotification),
  BlockInputResult: from('agent', 45, ToggleResult),
  TogglePrivacyScreen: from('viewer', 46, Toggle),
  PrivacyScreenResult: from('agent', 47, ToggleResult),
  SessionDisconnectRequested: from('agent', 48, nothing('map')),
  RemoteControlSessionError: from('agent', 49, RemoteControlSessionError),
  ScreenRegions: from('agent', 50, ScreenRegions),
  UpdateCaptureSettings: from('viewer', 51, UpdateCaptureSettings),
} as const;

export type MessageName = keyof typeof messages;

/** The value of the message with a name. */
export type MessageValue<N extends MessageName> = Infer<(typeof messages)[N]['payload']>;

/** The names of the messages that a side sends. */
export type NamesFrom<S extends 'viewer' | 'agent'> = {
  [N in MessageName]: (typeof messages)[N]['from'] extends S | 'both' ? N : never;
}[MessageName];
