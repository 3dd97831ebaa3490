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

interface ShownDisplay {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly colour: number;
}

const DISPLAYS: readonly ShownDisplay[] = [
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
  private line: WebSocket | null = null;
  private display = DISPLAYS[0];
  private pointer = { x: 0, y: 0 };

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

  /** Sends a message to the viewer. */
  say(name: Name, members: unknown = {}): void {
    this.line?.send(
      encode(
        { DtoType: TYPES[name], Payload: encode(members, { useBigInt64: true }), SendTimestamp: process.hrtime.bigint() },
        { useBigInt64: true },
      ),
    );
  }

  /** Breaks the line as a lost network does. */
  vanish(): void {
    this.line?.terminate();
  }

  /** Ends the session as an agent does that ends. */
  leave(): void {
    this.line?.close(1000);
  }

  /** Draws a region. */
  paint(colour: number, x: number, y: number, width: number, height: number, as: 'jpeg' | 'png'): void {
    const image = as === 'png' ? png(colour, width, height) : jpeg(colour, width, height);
    this.say('ScreenRegions', [[[x, y, width, height, image, as === 'png' ? 1 : 0]]]);
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
    const line = new WebSocket(address);
    this.line = line;
    this.display = DISPLAYS[0];
    line.on('open', () => this.say('DisplayData', { Displays: DISPLAYS.map(displayOf) }));
    line.on('message', (bytes: Buffer) => this.hear(bytes));
    line.on('error', () => undefined);
  }

  private hear(bytes: Buffer): void {
    const frame = decode(bytes, { useBigInt64: true }) as { DtoType: number | bigint; Payload: Uint8Array; SendTimestamp: bigint };
    const name = (Object.keys(TYPES) as Name[]).find((each) => TYPES[each] === Number(frame.DtoType));
    if (name === undefined || name === 'Ack') return;
    this.say('Ack', { ReceivedSize: bytes.length, SendTimestamp: frame.SendTimestamp });
    const value = decode(frame.Payload) as Members;
    this.heard.push({ name, value });
    this.deal(name, value);
  }

  private deal(name: Name, value: Members): void {
    const { width, height, colour } = this.display;
    if ('NormalizedX' in value) this.pointer = { x: Number(value.NormalizedX) * width, y: Number(value.NormalizedY) * height };
    const square = (of: number): void =>
      this.paint(
        of,
        Math.max(0, Math.round(this.pointer.x) - SQUARE / 2),
        Math.max(0, Math.round(this.pointer.y) - SQUARE / 2),
        SQUARE,
        SQUARE,
        'png',
      );
    if (name === 'ChangeDisplays') this.display = DISPLAYS.find(({ id }) => id === value.DisplayId) ?? DISPLAYS[0];
    if (name === 'ChangeDisplays' || name === 'UpdateCaptureSettings') {
      const shown = this.display;
      this.paint(shown.colour, 0, 0, shown.width, shown.height, 'jpeg');
    } else if (name === 'RequestKeyFrame') this.paint(colour, 0, 0, width, height, 'jpeg');
    else if (name === 'MouseButtonEvent' && value.IsPressed === true) square(RED);
    else if ((name === 'KeyEvent' && value.IsPressed === true) || name === 'TypeText') square(GREEN);
    else if (name === 'RequestClipboardText') this.say('ClipboardText', { Text: this.clipboard, SessionId: this.asked.at(-1)?.sessionId });
    else if (name === 'ClipboardText') this.clipboard = String(value.Text);
    else if (name === 'ToggleBlockInput') this.say('BlockInputResult', { IsSuccess: true, FinalState: value.IsEnabled });
    else if (name === 'TogglePrivacyScreen') this.say('PrivacyScreenResult', { IsSuccess: true, FinalState: value.IsEnabled });
  }
}

const displayOf = ({ id, width, height }: ShownDisplay, index: number) => ({
  CapturePixelSize: { Height: height, Width: width },
  DisplayId: id,
  Index: index,
  IsPrimary: index === 0,
  LayoutBounds: { Height: height, Width: width, X: index * 1280, Y: 0 },
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
