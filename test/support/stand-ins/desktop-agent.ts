import { deflateSync } from 'node:zlib';

import { decode, encode } from '@msgpack/msgpack';
import { encode as encodeJpeg } from 'jpeg-js';
import { WebSocket } from 'ws';

import {
  agentClient,
  agentHub,
  hubFailure,
  hubOk,
  type InvokeCtrlAltDelRequestDto,
  type RemoteControlSessionRequestDto,
} from '#libs/contracts';

import type { FakeAgent } from '../devices/agents.js';
import { eventually } from '../eventually.js';

/*
 * The desktops of a device as an agent of the 0.27 line gives them, written after the description of the protocol and not with the library
 * of the service: a coloured display, a red square where a button was pressed, a green one where the pointer was when a key was.
 */

export const BLUE = 0x2244aa;
export const RED = 0xee2222;
export const GREEN = 0x22cc44;
export const ORANGE = 0xdd8800;
const SQUARE = 40;
/** Longest side of an encoded picture; a larger display is drawn from a smaller one. */
const LARGEST_PICTURE = 2000;

const TYPES = {
  ChangeDisplays: 17,
  CloseRemoteControlSession: 19,
  ClipboardText: 21,
  DisplayData: 23,
  MovePointer: 26,
  MouseButtonEvent: 27,
  KeyEvent: 28,
  TypeText: 29,
  ResetKeyboardState: 30,
  WheelScroll: 31,
  CursorChanged: 34,
  RequestClipboardText: 35,
  WindowsSessionEnding: 36,
  WindowsSessionSwitched: 37,
  Ack: 39,
  CaptureMetricsChanged: 40,
  RequestKeyFrame: 41,
  ToggleBlockInput: 43,
  ToastNotification: 44,
  BlockInputResult: 45,
  TogglePrivacyScreen: 46,
  PrivacyScreenResult: 47,
  SessionDisconnectRequested: 48,
  RemoteControlSessionError: 49,
  ScreenRegions: 50,
  UpdateCaptureSettings: 51,
} as const;
type Name = keyof typeof TYPES;
type Members = Readonly<Record<string, unknown>>;

/** A message of the viewer. */
export interface Heard {
  readonly name: string;
  readonly value: Members;
}

/** A session with a viewer. */
interface Line {
  readonly socket: WebSocket;
  display: ShownDisplay;
  pointer: { readonly x: number; readonly y: number };
}

export interface ShownDisplay {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly colour: number;
}

export const DISPLAYS: readonly ShownDisplay[] = [
  { id: 'left', width: 1280, height: 800, colour: BLUE },
  { id: 'right', width: 640, height: 480, colour: ORANGE },
];

/** Desktops that the device lists. */
export const DESKTOP = {
  areRemoteControlPermissionsGranted: true,
  desktopName: 'Default',
  name: 'Console',
  processId: 4312,
  systemSessionId: 1,
  type: 0,
  username: 'anna',
} as const;

/** The desktops of a device. */
export class DesktopAgent {
  /** The messages of viewers, without acknowledgements. */
  readonly heard: Heard[] = [];
  /** Sessions that viewers have asked for. */
  readonly asked: RemoteControlSessionRequestDto[] = [];
  readonly ctrlAltDels: InvokeCtrlAltDelRequestDto[] = [];
  clipboard: string | null = 'text on the device';
  /** Answers the request of a viewer; by default it is accepted. */
  refusal: string | null = null;
  /** False if the person at the device says no. */
  agrees = true;
  /** False if the display is sent by {@link paint} only. */
  paints = true;
  /** The displays, from left to right; the first one is the primary one. */
  displays: readonly ShownDisplay[] = DISPLAYS;
  /** Sessions that run, oldest first. */
  private readonly lines: Line[] = [];

  constructor(agent: FakeAgent, desktops: readonly (typeof DESKTOP)[] = [DESKTOP]) {
    agent.on(agentClient.GetActiveDesktopSessions, () => [...desktops]);
    agent.on(agentClient.RequestDesktopPreview, ({ streamId }) => {
      agent
        .openStream(agentHub.SendDesktopPreviewStream, streamId)
        .send(jpeg(BLUE, 1280, 800))
        .complete();
      return hubOk();
    });
    agent.on(agentClient.InvokeCtrlAltDel, (request) => (this.ctrlAltDels.push(request), hubOk()));
    agent.on(agentClient.CreateRemoteControlSession, (request) => {
      this.asked.push(request);
      if (this.refusal !== null) return hubFailure(this.refusal);
      if (this.agrees) this.join(request.websocketUri);
      return hubOk();
    });
  }

  /** Messages of a kind that viewers have sent. */
  all(name: Name): Members[] {
    return this.heard.filter((message) => message.name === name).map(({ value }) => value);
  }

  /** Waits for a message. */
  async hears(name: Name, matches: (value: Members) => boolean = () => true): Promise<void> {
    await eventually(`the device hears ${name}`, () => this.all(name).some(matches));
  }

  forget(): void {
    this.heard.length = 0;
  }

  /** The number of sessions that run. */
  get running(): number {
    return this.lines.length;
  }

  /** Sends a message to the viewer of the newest session. */
  say(name: Name, members: unknown = {}): void {
    const line = this.lines.at(-1);
    if (line !== undefined) send(line, name, members);
  }

  /** Tells all viewers that the displays have changed. */
  changeDisplays(displays: readonly ShownDisplay[]): void {
    this.displays = displays;
    for (const line of this.lines) {
      if (!displays.includes(line.display)) line.display = displays[0];
      this.tellDisplays(line);
      this.paintAll(line);
    }
  }

  /** Breaks the line as a lost network does. */
  vanish(): void {
    this.lines.at(-1)?.socket.terminate();
  }

  /** Ends the session as an agent does that ends. */
  leave(): void {
    this.lines.at(-1)?.socket.close(1000);
  }

  /** Sends the whole display to the viewer of the newest session. */
  paint(): void {
    const line = this.lines.at(-1);
    if (line !== undefined) this.paintAll(line);
  }

  /** Sends a region whose bytes are no picture, beside the display. */
  paintNonsense(): void {
    this.say('ScreenRegions', [
      [
        [0, 0, 100, 100, Uint8Array.of(1, 2, 3), 0],
        [5000, -5000, 100, 100, png(RED, 100, 100), 1],
      ],
    ]);
  }

  private join(address: string): void {
    const socket = new WebSocket(address);
    const line: Line = { socket, display: this.displays[0], pointer: { x: 0, y: 0 } };
    socket.on('open', () => {
      this.lines.push(line);
      this.tellDisplays(line);
    });
    socket.on('message', (bytes: Buffer) => this.hear(line, bytes));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      const index = this.lines.indexOf(line);
      if (index !== -1) this.lines.splice(index, 1);
    });
  }

  private hear(line: Line, bytes: Buffer): void {
    const frame = decode(bytes, { useBigInt64: true }) as { DtoType: number | bigint; Payload: Uint8Array; SendTimestamp: bigint };
    const name = (Object.keys(TYPES) as Name[]).find((each) => TYPES[each] === Number(frame.DtoType));
    if (name === undefined || name === 'Ack') return;
    send(line, 'Ack', { ReceivedSize: bytes.length, SendTimestamp: frame.SendTimestamp });
    const value = decode(frame.Payload) as Members;
    this.heard.push({ name, value });
    this.deal(line, name, value);
  }

  private deal(line: Line, name: Name, value: Members): void {
    const { width, height } = line.display;
    if ('NormalizedX' in value) line.pointer = { x: Number(value.NormalizedX) * width, y: Number(value.NormalizedY) * height };
    if (name === 'ChangeDisplays') line.display = this.displays.find(({ id }) => id === value.DisplayId) ?? this.displays[0];
    if (name === 'ChangeDisplays' || name === 'UpdateCaptureSettings' || name === 'RequestKeyFrame') {
      if (this.paints) this.paintAll(line);
    } else if (name === 'MouseButtonEvent' && value.IsPressed === true) paintSquare(line, RED);
    else if ((name === 'KeyEvent' && value.IsPressed === true) || name === 'TypeText') paintSquare(line, GREEN);
    else if (name === 'RequestClipboardText')
      send(line, 'ClipboardText', { Text: this.clipboard, SessionId: this.asked.at(-1)?.sessionId });
    else if (name === 'ClipboardText') this.clipboard = String(value.Text);
    else if (name === 'ToggleBlockInput') send(line, 'BlockInputResult', { IsSuccess: true, FinalState: value.IsEnabled });
    else if (name === 'TogglePrivacyScreen') send(line, 'PrivacyScreenResult', { IsSuccess: true, FinalState: value.IsEnabled });
  }

  private tellDisplays(line: Line): void {
    const left = (index: number): number => this.displays.slice(0, index).reduce((sum, { width }) => sum + width, 0);
    send(line, 'DisplayData', { Displays: this.displays.map((display, index) => displayOf(display, index, left(index))) });
  }

  /** Draws the whole display. */
  private paintAll(line: Line): void {
    const { width, height, colour } = line.display;
    const image = jpeg(colour, Math.min(width, LARGEST_PICTURE), Math.min(height, LARGEST_PICTURE));
    send(line, 'ScreenRegions', [[[0, 0, width, height, image, 0]]]);
  }
}

/** Sends a message to the viewer of a session. */
function send({ socket }: Line, name: Name, members: unknown): void {
  const Payload = encode(members, { useBigInt64: true });
  socket.send(encode({ DtoType: TYPES[name], Payload, SendTimestamp: process.hrtime.bigint() }, { useBigInt64: true }));
}

/** Draws a square around the pointer. */
function paintSquare(line: Line, colour: number): void {
  const corner = (place: number): number => Math.max(0, Math.round(place) - SQUARE / 2);
  const { x, y } = line.pointer;
  send(line, 'ScreenRegions', [[[corner(x), corner(y), SQUARE, SQUARE, png(colour, SQUARE, SQUARE), 1]]]);
}

const displayOf = ({ id, width, height }: ShownDisplay, index: number, left: number) => ({
  CapturePixelSize: { Height: height, Width: width },
  DisplayId: id,
  Index: index,
  IsPrimary: index === 0,
  LayoutBounds: { Height: height, Width: width, X: left, Y: 0 },
  LayoutCoordinateSpace: 0,
  Name: `Display ${index + 1}`,
  NativePixelSize: null,
});

const channelsOf = (colour: number): readonly number[] => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];

function jpeg(colour: number, width: number, height: number): Uint8Array {
  const data = Buffer.alloc(width * height * 4, Buffer.from([...channelsOf(colour), 255]));
  return encodeJpeg({ data, width, height }, 80).data;
}

function png(colour: number, width: number, height: number): Uint8Array {
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  // 8 bits, RGB.
  size.set([8, 2], 8);
  const row = Buffer.concat([Buffer.of(0), Buffer.alloc(width * 3, Buffer.from(channelsOf(colour)))]);
  const rows = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', size),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(checksum(body));
  return Buffer.concat([length, body, sum]);
}

/** The CRC-32 of PNG. */
function checksum(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}
