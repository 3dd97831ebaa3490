import type { Display, Message, MessageName, MessageValue, NamesFrom, UnknownMessage, UpdateCaptureSettings } from '#libs/desktop-stream';

/*
 * What the page and its worker say to each other.
 */

type Named<N extends MessageName> = { readonly [K in N]: { readonly name: K; readonly value: MessageValue<K> } }[N];

/** A message to the device. */
export type ViewerMessage = Named<Exclude<NamesFrom<'viewer'>, 'Ack' | 'MovePointer' | 'UpdateCaptureSettings'>>;

const FOR_PAGE = [
  'BlockInputResult',
  'CaptureMetricsChanged',
  'ClipboardText',
  'CursorChanged',
  'PrivacyScreenResult',
  'RemoteControlSessionError',
  'SessionDisconnectRequested',
  'ToastNotification',
  'WindowsSessionEnding',
  'WindowsSessionSwitched',
] as const satisfies readonly MessageName[];

/** Messages of the device that the page shows or acts on. The worker deals with all others by itself. */
export type PageMessage = Message<(typeof FOR_PAGE)[number]>;

/** True for a message that the page shows or acts on. */
export const isForPage = (message: Message | UnknownMessage): message is PageMessage =>
  (FOR_PAGE as readonly (MessageName | null)[]).includes(message.name);

export type CaptureSettings = UpdateCaptureSettings;

/** A line to the relay, with what to ask the device for once it is open. */
export interface LineRequest {
  readonly address: string;
  readonly settings: CaptureSettings;
  /** The display to show if the device has it; null for the primary one. */
  readonly displayId: string | null;
}

export type ToWorker =
  /** The canvas to draw on, once. */
  | { readonly kind: 'canvas'; readonly canvas: OffscreenCanvas }
  | { readonly kind: 'connect'; readonly line: LineRequest }
  /** Ends the line; the picture stays. */
  | { readonly kind: 'disconnect' }
  /** Ends the line, and then the worker. */
  | { readonly kind: 'end' }
  | { readonly kind: 'send'; readonly message: ViewerMessage }
  | { readonly kind: 'settings'; readonly settings: CaptureSettings }
  | { readonly kind: 'show'; readonly displayId: string }
  /** The pointer is there now. Places in between are left out. */
  | { readonly kind: 'move'; readonly x: number; readonly y: number }
  /** Shows the same picture again. */
  | { readonly kind: 'redraw' }
  /** Asks for the picture as a file. */
  | { readonly kind: 'picture' };

/** The reason for which the worker itself ended a line. */
export type LineFault = 'unreadable' | 'silent' | 'too-large';

/** Figures of the last second. */
export interface Figures {
  readonly frames: number;
  readonly bytes: number;
  /** Time from sending a message to its acknowledgement, in milliseconds; null before the first one. */
  readonly latencyMs: number | null;
}

export type FromWorker =
  | { readonly kind: 'opened' }
  | {
      readonly kind: 'closed';
      /** False if the device never joined. */
      readonly wasOpen: boolean;
      readonly fault: LineFault | null;
      /** True if the service stops, and is there again soon. */
      readonly isRestart: boolean;
    }
  | { readonly kind: 'displays'; readonly displays: readonly Display[]; readonly shown: Display | null }
  /** The first picture of a line is drawn. */
  | { readonly kind: 'drawn' }
  | { readonly kind: 'received'; readonly message: PageMessage }
  | { readonly kind: 'figures'; readonly figures: Figures }
  | { readonly kind: 'picture'; readonly picture: Blob | null };
