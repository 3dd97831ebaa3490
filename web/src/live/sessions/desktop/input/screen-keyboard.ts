import type { Keyboard } from './keyboard.js';
import { changeOf, isUnfinished } from './typed-text.js';

/** Text before the cursor, so that keyboards have something to delete. No word, and nothing that ends a sentence. */
const PAD = '\u00a0'.repeat(64);
/** Longest text in the field. */
const LONGEST = 1024;
/** A change of the visible height that only a keyboard makes, in pixels. */
const KEYBOARD_HEIGHT = 100;

interface ScreenKeyboardOptions {
  readonly field: HTMLTextAreaElement;
  readonly keyboard: Keyboard;
  readonly onChange: () => void;
}

/**
 * The keyboard that a phone shows on its screen. It sends no keys, but changes the text of a field; the changes go to the device as they
 * are made, so that completed, corrected and swiped words arrive once.
 */
export class ScreenKeyboard {
  private before = '';
  private isOpen = false;
  private isSwitching = false;
  private lowest = 0;

  constructor(private readonly options: ScreenKeyboardOptions) {}

  get isShown(): boolean {
    return this.isOpen;
  }

  toggle(): void {
    if (this.isOpen) this.hide();
    else this.show();
  }

  /** Takes a change of the field. */
  take(isComposing: boolean): void {
    const { field, keyboard } = this.options;
    const { removed, inserted } = changeOf(this.before, field.value);
    if (isComposing && isUnfinished(inserted)) return;
    this.before = field.value;
    for (let count = 0; count < removed; count += 1) keyboard.stroke('Backspace', 'Backspace');
    // A command is no part of the text.
    if (keyboard.write(inserted)) this.reset();
    else if (!isComposing && (field.value.length < PAD.length / 2 || field.value.length > LONGEST)) this.reset();
  }

  /** Forgets the text: what is before the cursor of the device is not known. */
  reset(): void {
    if (!this.isOpen) return;
    const { field } = this.options;
    field.value = PAD;
    this.before = PAD;
    field.setSelectionRange(PAD.length, PAD.length);
  }

  /** The field has lost the focus. Returns true if keys that are down have to be released. */
  blurred(): boolean {
    if (this.isSwitching) return false;
    if (this.isOpen) this.closed();
    return true;
  }

  private show(): void {
    this.isOpen = true;
    this.lowest = visualViewport?.height ?? 0;
    visualViewport?.addEventListener('resize', this.follow);
    this.options.field.inputMode = 'text';
    this.focusAgain();
    this.reset();
    this.options.onChange();
  }

  private hide(): void {
    this.closed();
    this.options.keyboard.releaseAll();
    this.focusAgain();
  }

  private closed(): void {
    this.isOpen = false;
    visualViewport?.removeEventListener('resize', this.follow);
    this.options.field.inputMode = 'none';
    this.options.field.value = '';
    this.options.onChange();
  }

  /** A keyboard comes and goes with the focus only. */
  private focusAgain(): void {
    const { field } = this.options;
    this.isSwitching = true;
    field.blur();
    field.focus({ preventScroll: true });
    this.isSwitching = false;
  }

  /** The system may close the keyboard by itself, which it says by nothing but the room that comes back. */
  private readonly follow = (): void => {
    const height = visualViewport?.height ?? 0;
    if (height > this.lowest + KEYBOARD_HEIGHT) this.hide();
    else this.lowest = Math.min(this.lowest, height);
  };
}
