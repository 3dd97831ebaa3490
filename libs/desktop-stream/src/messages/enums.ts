import { numericEnum, type Infer } from '#libs/contracts/wire';

/** Shape of the pointer. */
export const PointerCursor = numericEnum('PointerCursor', {
  Unknown: 0,
  NormalArrow: 1,
  Ibeam: 2,
  SizeNs: 3,
  SizeWe: 4,
  SizeNwse: 5,
  SizeNesw: 6,
  Wait: 7,
  Hand: 8,
  Custom: 9,
});
export type PointerCursor = Infer<typeof PointerCursor>;

export const ImageFormat = numericEnum('ImageFormat', { Jpeg: 0, Png: 1, WebP: 2 });
export type ImageFormat = Infer<typeof ImageFormat>;

/** Meaning of a key event: by its position (`Physical`), by its character (`Virtual`), or as the agent sees fit. */
export const KeyboardInputMode = numericEnum('KeyboardInputMode', { Auto: 0, Physical: 1, Virtual: 2 });
export type KeyboardInputMode = Infer<typeof KeyboardInputMode>;

export const DisplayLayoutCoordinateSpace = numericEnum('DisplayLayoutCoordinateSpace', { Logical: 0, Physical: 1 });
export type DisplayLayoutCoordinateSpace = Infer<typeof DisplayLayoutCoordinateSpace>;

export const MessageSeverity = numericEnum('MessageSeverity', { Information: 0, Warning: 1, Error: 2, Success: 3 });
export type MessageSeverity = Infer<typeof MessageSeverity>;
