import { aliasedEnum, namedEnum, numericEnum } from './wire/enumeration.js';
import type { Infer } from './wire/wire-type.js';

export const Architecture = numericEnum('Architecture', {
  X86: 0,
  X64: 1,
  Arm: 2,
  Arm64: 3,
  Wasm: 4,
  S390x: 5,
  LoongArch64: 6,
  Armv6: 7,
  Ppc64le: 8,
  RiscV64: 9,
});
export type Architecture = Infer<typeof Architecture>;

export const SystemPlatform = numericEnum('SystemPlatform', {
  Unknown: 0,
  Windows: 1,
  Linux: 2,
  MacOs: 3,
  MacCatalyst: 4,
  Android: 5,
  Ios: 6,
  Browser: 7,
});
export type SystemPlatform = Infer<typeof SystemPlatform>;

export const DriveType = namedEnum('DriveType', { Unknown: 0, NoRootDirectory: 1, Removable: 2, Fixed: 3, Network: 4, CDRom: 5, Ram: 6 });
export type DriveType = Infer<typeof DriveType>;

export const DesktopSessionType = numericEnum('DesktopSessionType', { Console: 0, Rdp: 1 });
export type DesktopSessionType = Infer<typeof DesktopSessionType>;

export const PowerStateChangeType = numericEnum('PowerStateChangeType', { None: 0, Restart: 1, Shutdown: 2 });
export type PowerStateChangeType = Infer<typeof PowerStateChangeType>;

export const TerminalOutputKind = numericEnum('TerminalOutputKind', { StandardOutput: 0, StandardError: 1 });
export type TerminalOutputKind = Infer<typeof TerminalOutputKind>;

/** The form in which a terminal session reads its input: command lines, or typed keys. See `TerminalInputDto`. */
export const TerminalMode = numericEnum('TerminalMode', { Line: 0, Raw: 1 });
export type TerminalMode = Infer<typeof TerminalMode>;

export const PwshCompletionMatchType = numericEnum('PwshCompletionMatchType', {
  Text: 0,
  History: 1,
  Command: 2,
  ProviderItem: 3,
  ProviderContainer: 4,
  Property: 5,
  Method: 6,
  ParameterName: 7,
  ParameterValue: 8,
  Variable: 9,
  Namespace: 10,
  Type: 11,
  Keyword: 12,
  DynamicKeyword: 13,
});
export type PwshCompletionMatchType = Infer<typeof PwshCompletionMatchType>;

export const MessageSeverity = numericEnum('MessageSeverity', { Information: 0, Warning: 1, Error: 2, Success: 3 });
export type MessageSeverity = Infer<typeof MessageSeverity>;

export const RuntimeId = aliasedEnum(
  'RuntimeId',
  { WinX86: 0, WinX64: 1, MacOsArm64: 2, MacOsX64: 3, LinuxX64: 4 },
  { WinX86: 'win-x86', WinX64: 'win-x64', MacOsArm64: 'osx-arm64', MacOsX64: 'osx-x64', LinuxX64: 'linux-x64' },
);
export type RuntimeId = Infer<typeof RuntimeId>;

export const DtoType = namedEnum('DtoType', {
  None: 0,
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
  ScreenRegion: 32,
  MouseClick: 33,
  CursorChanged: 34,
  RequestClipboardText: 35,
  WindowsSessionEnding: 36,
  WindowsSessionSwitched: 37,
  Ack: 39,
  CaptureMetricsChanged: 40,
  RequestKeyFrame: 41,
  VideoStreamPacket: 42,
  ToggleBlockInput: 43,
  ToastNotification: 44,
  BlockInputResult: 45,
  TogglePrivacyScreen: 46,
  PrivacyScreenResult: 47,
  SessionDisconnectRequested: 48,
  RemoteControlSessionError: 49,
  ScreenRegions: 50,
  UpdateCaptureSettings: 51,
});
export type DtoType = Infer<typeof DtoType>;
