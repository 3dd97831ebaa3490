import type { MessageName, MessageValue } from './messages/messages.js';
import { NOTHING } from './types.js';

const SESSION = '00112233-4455-6677-8899-aabbccddeeff';
const REGION = { x: 64, y: 128, width: 320, height: 64.5, encodedImage: Uint8Array.of(0xff, 0xd8, 0xff), imageFormat: 2 } as const;
const SIZE = { height: 1080, width: 1920 };
const TOGGLED = { isSuccess: false, finalState: true };

/** One value of each message. */
export const exampleValues: { readonly [N in MessageName]: MessageValue<N> } = {
  ChangeDisplays: { displayId: 'd1' },
  CloseRemoteControlSession: NOTHING,
  ClipboardText: { text: 'größe', sessionId: SESSION },
  DisplayData: {
    displays: [
      {
        capturePixelSize: SIZE,
        displayId: 'd1',
        index: 0,
        isPrimary: true,
        layoutBounds: { ...SIZE, x: 0, y: -0.5 },
        layoutCoordinateSpace: 1,
        name: 'Display 1',
        nativePixelSize: SIZE,
      },
    ],
  },
  MovePointer: { normalizedX: 0.25, normalizedY: 1 },
  MouseButtonEvent: { button: 2, isPressed: true, normalizedX: 0.25, normalizedY: 0.5 },
  KeyEvent: {
    key: 'é',
    code: 'KeyE',
    isPressed: true,
    inputMode: 1,
    modifiers: { control: true, shift: false, alt: true, meta: false },
  },
  TypeText: { text: 'a€漢😀' },
  ResetKeyboardState: NOTHING,
  WheelScroll: { normalizedX: 0.5, normalizedY: 0.5, scrollY: -120, scrollX: 0 },
  ScreenRegion: REGION,
  MouseClick: { button: 0, isDoubleClick: true, normalizedX: 0, normalizedY: 1 },
  CursorChanged: { cursor: 9, customCursorBase64Png: 'iVBORw0=', xHotspot: 3, yHotspot: 65_535, sessionId: SESSION },
  RequestClipboardText: NOTHING,
  WindowsSessionEnding: NOTHING,
  WindowsSessionSwitched: NOTHING,
  Ack: { receivedSize: 70_000, sendTimestamp: 9_223_372_036_854_775_807n },
  CaptureMetricsChanged: { fps: 29.97, captureMode: 'X11', currentQuality: 75, extraData: { a: 'b' } },
  RequestKeyFrame: NOTHING,
  VideoStreamPacket: { packetData: Uint8Array.of(1, 2, 3), timestamp: 1_700_000_000_000 },
  ToggleBlockInput: { isEnabled: true },
  ToastNotification: { message: 'hello', severity: 1 },
  BlockInputResult: { isSuccess: true, finalState: false },
  TogglePrivacyScreen: { isEnabled: false },
  PrivacyScreenResult: TOGGLED,
  SessionDisconnectRequested: NOTHING,
  RemoteControlSessionError: { message: 'no display', isFatal: true },
  ScreenRegions: { regions: [REGION, REGION] },
  UpdateCaptureSettings: {
    captureCursor: true,
    enableDirectX: false,
    isAutoQualityEnabled: true,
    manualQuality: 75,
    autoQualityLowerThresholdMbps: 5,
    autoQualityMaximum: 90,
    autoQualityMinimum: 20,
    autoQualityUpperThresholdMbps: 40,
    isMaxBandwidthEnabled: false,
    maxBandwidthMbps: 100,
    encodingFormat: 0,
    videoCodecs: [],
    mixedFormats: false,
    clipboardSync: false,
  },
};
