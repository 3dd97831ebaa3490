import {
  arrayOf,
  binary,
  bool,
  float64,
  guid,
  indexedRecord,
  int64,
  MAX_NAME_LENGTH,
  nullable,
  record,
  text,
  type Infer,
} from '#libs/contracts/wire';

import { MAX_AGENT_MESSAGE_BYTES, MAX_CURSOR_LENGTH, MAX_DISPLAYS, MAX_REGIONS } from '../limits.js';
import { float32, orDefault, texts, whole } from '../types.js';
import { DisplayLayoutCoordinateSpace, ImageFormat, PointerCursor } from './enums.js';

const PixelSize = record('PixelSize', 'A size in pixels.', { height: whole, width: whole });

const DisplayBounds = record('DisplayBounds', 'The place of a display among the others.', {
  height: float64,
  width: float64,
  x: float64,
  y: float64,
});

export const Display = record('Display', 'A display of the device.', {
  capturePixelSize: PixelSize,
  displayId: text(MAX_NAME_LENGTH),
  index: whole,
  isPrimary: bool,
  layoutBounds: DisplayBounds,
  layoutCoordinateSpace: orDefault(DisplayLayoutCoordinateSpace),
  name: text(MAX_NAME_LENGTH),
  nativePixelSize: nullable(PixelSize),
});
export type Display = Infer<typeof Display>;

export const DisplayData = record('DisplayData', 'The displays of the device. It comes again when they change.', {
  displays: arrayOf(Display, MAX_DISPLAYS),
});

export const ScreenRegion = indexedRecord(
  'ScreenRegion',
  'A rectangle of the shown display in captured pixels, and the picture that replaces it.',
  {
    x: float32,
    y: float32,
    width: float32,
    height: float32,
    encodedImage: binary(MAX_AGENT_MESSAGE_BYTES),
    imageFormat: orDefault(ImageFormat),
  },
);
export type ScreenRegion = Infer<typeof ScreenRegion>;

export const ScreenRegions = indexedRecord('ScreenRegions', 'A change of the screen. A region that covers the display is a key frame.', {
  regions: arrayOf(ScreenRegion, MAX_REGIONS),
});

export const VideoStreamPacket = indexedRecord('VideoStreamPacket', 'A piece of a video, with its time in milliseconds.', {
  packetData: binary(MAX_AGENT_MESSAGE_BYTES),
  timestamp: int64,
});

export const CursorChanged = record('CursorChanged', 'The pointer has another shape.', {
  cursor: orDefault(PointerCursor),
  customCursorBase64Png: nullable(text(MAX_CURSOR_LENGTH)),
  xHotspot: whole,
  yHotspot: whole,
  sessionId: guid,
});

export const CaptureMetricsChanged = record('CaptureMetricsChanged', 'Figures of the capture, every three seconds.', {
  fps: float64,
  captureMode: text(MAX_NAME_LENGTH),
  currentQuality: whole,
  extraData: texts,
});
