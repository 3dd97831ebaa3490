/*
 * The one interface between sessions and the window system of the device. X11 is its first implementation.
 */

/** A rectangle of pixels. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A display (monitor) of the desktop. Its bounds are in pixels of the whole desktop. */
export interface DesktopDisplay {
  readonly id: string;
  readonly name: string;
  readonly isPrimary: boolean;
  readonly bounds: Rectangle;
}

/** Reads pixels of the desktop. */
export interface ScreenCapture {
  /** The way in which pixels are read, for the figures of the session. */
  readonly mode: string;
  /** Calls the listener when something has changed since the last `changes()`. */
  onChange(listener: () => void): void;
  /** Chooses the part of the desktop from which pixels are read. Rectangles are relative to it from then on. */
  show(bounds: Rectangle): Promise<void>;
  /** The rectangles that have changed since the last call. */
  changes(): Promise<readonly Rectangle[]>;
  /** Pixels (blue, green, red, unused) of one rectangle after the other. They are valid until the next call. */
  grab(rectangles: readonly Rectangle[]): Promise<Buffer>;
}

/** A position on the shown display, from 0 to 1. */
export interface Place {
  readonly normalizedX: number;
  readonly normalizedY: number;
}

/** The keys of a viewer's keyboard that are held beside the one of an event. */
export interface HeldModifiers {
  readonly control: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
  readonly meta: boolean;
}

/** Moves the pointer, and presses buttons and keys. */
export interface InputDevice {
  /** Chooses the display to which places are relative. */
  show(bounds: Rectangle): void;
  move(place: Place): void;
  /** `button` is numbered as in DOM events. */
  button(button: number, isPressed: boolean, place: Place): void;
  click(button: number, isDouble: boolean, place: Place): void;
  /** `scrollY` above 0 scrolls up, `scrollX` above 0 to the right, in CSS pixels. */
  scroll(place: Place, scrollX: number, scrollY: number): void;
  /** Types characters. */
  type(text: string): Promise<void>;
  /** Presses or releases the key at a position (`code` of DOM events), or else the one that `key` names. */
  key(key: string, code: string, isPressed: boolean): void;
  /** Types one character while these modifiers are held and no others. */
  character(character: string, modifiers: HeldModifiers): Promise<void>;
  /** Releases all keys and buttons that this device has pressed. */
  releaseAll(): void;
}

/** The displays of the desktop. */
export interface Displays {
  read(): Promise<readonly DesktopDisplay[]>;
  /** Calls the listener when displays have come, gone or changed. */
  onChange(listener: () => void): void;
}

/** A shape of the pointer. */
export interface CursorImage {
  readonly png: Uint8Array;
  readonly xHotspot: number;
  readonly yHotspot: number;
}

/** The pointer as the desktop draws it. */
export interface DrawnPointer {
  /** Another number for another shape. */
  readonly shape: number;
  /** Its place on the whole desktop. */
  readonly bounds: Rectangle;
  /** Blue, green and red, multiplied by alpha, and alpha. */
  readonly bgra: Uint8Array;
}

/** The pointer of the desktop. */
export interface Cursor {
  /** Its shape; undefined if it cannot be shown. */
  read(): Promise<CursorImage | undefined>;
  /** Its shape and place; undefined if it cannot be shown. */
  drawn(): Promise<DrawnPointer | undefined>;
  /** Calls the listener when it has another shape. */
  onChange(listener: () => void): void;
}

/** The lock of the screen. */
export interface ScreenLock {
  /** True if the screen is known to be locked. */
  readonly isLocked: boolean;
  /** Calls the listener when the screen has been locked or unlocked. */
  onChange(listener: () => void): void;
}

/** The person at the desktop. */
export interface DesktopPerson {
  /** Asks a question. No answer in time is no, and so is a desktop that cannot show the question. */
  ask(sentences: readonly string[], buttons: readonly [yes: string, no: string], timeoutMs: number): Promise<boolean>;
  /** Shows a sentence with one button until the desktop is closed. `place` counts those above it. */
  notice(sentence: string, button: string, place: number, onPress: () => void): Promise<void>;
}

/** The clipboard of the desktop. */
export interface Clipboard {
  /** Its text; undefined if it has none. @throws RefusedError when it has more bytes than that, or cannot be read, with the reason */
  read(mostBytes: number): Promise<string | undefined>;
  /** Puts a text on it. @throws RefusedError when another program keeps it */
  write(text: string): Promise<void>;
  /** Calls the listener when another program has put something on it. */
  onChange(listener: () => void): void;
}

/** A desktop that a session shows and controls. */
export interface Desktop {
  readonly clipboard: Clipboard;
  readonly capture: ScreenCapture;
  readonly input: InputDevice;
  readonly displays: Displays;
  readonly cursor: Cursor;
  readonly lock: ScreenLock;
  readonly person: DesktopPerson;
  /** Calls the listener when the window system has ended. */
  onLost(listener: () => void): void;
  /** Releases keys and resources, and leaves the window system. */
  close(): Promise<void>;
}
