import { decode as decodeJpeg } from 'jpeg-js';
import type { WebSocket } from 'ws';

import {
  decodeMessage,
  encodeMessage,
  ImageFormat,
  type Message,
  type MessageName,
  type MessageValue,
  type ScreenRegion,
  type UpdateCaptureSettings,
} from '#libs/desktop-stream';

import { decodePng, type Picture } from '../../../agent/src/remote-control/picture/png.fixture.js';
import { eventually } from '../../support/eventually.js';

export const SETTINGS: UpdateCaptureSettings = {
  captureCursor: false,
  enableDirectX: false,
  isAutoQualityEnabled: true,
  manualQuality: 75,
  autoQualityLowerThresholdMbps: 50,
  autoQualityMaximum: 75,
  autoQualityMinimum: 20,
  autoQualityUpperThresholdMbps: 200,
  isMaxBandwidthEnabled: false,
  maxBandwidthMbps: 100,
  encodingFormat: 0,
  videoCodecs: [],
  mixedFormats: true,
  clipboardSync: false,
};

/** A viewer of a remote control session, which draws what arrives. Its first message has its settings. */
export class DesktopViewer {
  readonly messages: Message[] = [];
  picture: Picture = { width: 0, height: 0, rgb: Buffer.alloc(0) };
  /** Bytes of all regions, and how many messages had some. */
  regionBytes = 0;
  frames = 0;
  readonly formats = new Set<number>();
  /** Without it nothing is acknowledged. */
  acknowledges = true;
  private bytes = 0;
  /** True once the agent has its settings. */
  private isConfigured = false;
  private isAnySize = false;
  private readonly withheld: MessageValue<'Ack'>[] = [];

  constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => this.take(data));
  }

  send<N extends MessageName>(name: N, value: MessageValue<N>): void {
    const bytes = encodeMessage(name, value, process.hrtime.bigint());
    if (name !== 'Ack') this.bytes += bytes.length;
    this.socket.send(bytes);
  }

  /** Bytes sent that the agent has not acknowledged. */
  get unacknowledged(): number {
    return this.bytes;
  }

  of<N extends MessageName>(name: N): Extract<Message, { readonly name: N }>[] {
    return this.messages.filter((message): message is Extract<Message, { readonly name: N }> => message.name === name);
  }

  /** Acknowledges what has not been, and everything from now on. */
  acknowledgeAll(): void {
    this.acknowledges = true;
    for (const each of this.withheld.splice(0)) this.send('Ack', each);
  }

  /** Chooses a display, whose picture may be smaller. */
  show(displayId: string): void {
    this.forgetPicture();
    this.send('ChangeDisplays', { displayId });
  }

  /** The next key frame may have another size. Regions of the former display may come before it. */
  forgetPicture(): void {
    this.isAnySize = true;
  }

  /** Waits for the next key frame, or the next of a format. One that was asked for before may still be on its way. */
  async keyFrame(act: () => void, format?: ScreenRegion['imageFormat']): Promise<ScreenRegion> {
    const before = this.messages.length;
    act();
    const isWanted = ({ width, height, imageFormat }: ScreenRegion): boolean =>
      width === this.picture.width && height === this.picture.height && (format === undefined || imageFormat === format);
    let found: ScreenRegion | undefined;
    await eventually('a key frame has come', () => {
      for (const message of this.messages.slice(before))
        if (message.name === 'ScreenRegions') found ??= message.value.regions.find(isWanted);
      return found !== undefined;
    });
    if (found === undefined) throw new Error('No key frame has come.');
    return found;
  }

  pixel(x: number, y: number): readonly number[] {
    const at = (y * this.picture.width + x) * 3;
    return [...this.picture.rgb.subarray(at, at + 3)];
  }

  private take(data: Buffer): void {
    const message = decodeMessage(new Uint8Array(data));
    if (message.name === null) return;
    if (message.name === 'Ack') {
      this.bytes -= message.value.receivedSize;
      this.isConfigured = true;
      return;
    }
    // Where the settings come late, the agent begins without them. All that follows their acknowledgement is sent with them.
    const isEarly = message.name === 'ScreenRegions' && !this.isConfigured;
    if (!isEarly) this.messages.push(message);
    if (message.name === 'ScreenRegions' && !isEarly) this.draw(message.value.regions);
    const acknowledgement = { receivedSize: message.size, sendTimestamp: message.sentAt };
    if (this.acknowledges) this.send('Ack', acknowledgement);
    else this.withheld.push(acknowledgement);
  }

  private draw(regions: readonly ScreenRegion[]): void {
    this.frames += 1;
    for (const { x, y, width, height, encodedImage, imageFormat } of regions) {
      this.regionBytes += encodedImage.length;
      this.formats.add(imageFormat);
      const display = this.of('DisplayData')
        .at(-1)
        ?.value.displays.some(({ capturePixelSize: size }) => size.width === width && size.height === height);
      const isOther = width !== this.picture.width || height !== this.picture.height;
      if (x === 0 && y === 0 && isOther && (this.picture.width === 0 || (this.isAnySize && display === true)))
        this.picture = { width, height, rgb: Buffer.alloc(width * height * 3) };
      const image = imageFormat === ImageFormat.values.Png ? decodePng(encodedImage) : ofJpeg(encodedImage);
      if (image.width !== width || image.height !== height) throw new Error('A region has not the size of its picture.');
      for (let row = 0; row < height; row += 1)
        image.rgb.copy(this.picture.rgb, ((y + row) * this.picture.width + x) * 3, row * width * 3, (row + 1) * width * 3);
    }
  }
}

function ofJpeg(bytes: Uint8Array): Picture {
  const { width, height, data } = decodeJpeg(bytes, { formatAsRGBA: false, useTArray: true });
  return { width, height, rgb: Buffer.from(data) };
}
