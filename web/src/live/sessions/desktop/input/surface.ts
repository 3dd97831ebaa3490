import { TERMINAL } from '../../../../keyboard/shortcuts.js';
import { isMac, shortcutOf } from '../../../../ui/kbd/shortcuts.js';
import type { ViewerMessage } from '../worker/messages.js';
import type { Viewport } from '../viewport.js';
import { Keyboard } from './keyboard.js';
import { Buttons, type Place, placeOn, wheelAt } from './pointer.js';
import { ScreenKeyboard } from './screen-keyboard.js';
import { TouchInput } from './touch.js';

interface SurfaceOptions {
  /** Its field has the focus while keys go to the device. Texts that are composed arrive there. */
  readonly viewport: Viewport;
  /** False while the device gets no input. */
  readonly isOpen: () => boolean;
  readonly send: (message: ViewerMessage) => void;
  readonly move: (place: Place) => void;
  /** The user wants the keys back. */
  readonly onLeave: () => void;
  /** The keys go to the device from now on. */
  readonly onFocus: () => void;
  /** Takes the text that the user is about to paste, before the device gets the keys; null if it stays here. */
  readonly pasteFor: () => ((text: string) => void) | null;
  /** The tools have something else to show. */
  readonly onChange: () => void;
}

/** Pointer and keyboard over the picture of a desktop. */
export class Surface {
  readonly keyboard: Keyboard;
  readonly touch: TouchInput;
  /** The keyboard on the screen of a phone. */
  readonly screenKeyboard: ScreenKeyboard;
  private readonly buttons: Buttons;
  /** The key that pastes, while the browser says what. */
  private pasting: KeyboardEvent | null = null;

  constructor(private readonly options: SurfaceOptions) {
    const send = (message: ViewerMessage): void => {
      if (options.isOpen()) options.send(message);
    };
    const { viewport, isOpen, move, onChange } = options;
    this.keyboard = new Keyboard(send, isMac, onChange);
    this.buttons = new Buttons(send);
    this.screenKeyboard = new ScreenKeyboard({
      field: viewport.field,
      keyboard: this.keyboard,
      onChange: () => {
        viewport.keep(this.screenKeyboard.isShown ? this.touch.workplace : null);
        onChange();
      },
    });
    this.touch = new TouchInput({
      viewport,
      isOpen,
      buttons: this.buttons,
      send,
      move,
      onTouch: () => this.focus(),
      onClick: () => {
        this.keyboard.lift();
        this.screenKeyboard.reset();
      },
    });
    this.hearPointer();
    this.hearKeys();
    document.addEventListener('visibilitychange', this.follow);
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.follow);
  }

  focus(): void {
    this.options.viewport.field.focus({ preventScroll: true });
  }

  /** Releases all keys and buttons that are down. */
  release(): void {
    this.touch.cancel();
    this.keyboard.releaseAll();
    this.buttons.releaseAll();
  }

  /** A page that is hidden hears of no released key. */
  private readonly follow = (): void => {
    if (document.hidden) this.release();
  };

  private hearPointer(): void {
    const { viewport, isOpen, send, move } = this.options;
    const { canvas } = viewport;
    const placeOf = (event: MouseEvent): Place => placeOn(canvas.getBoundingClientRect(), event);
    canvas.addEventListener('pointerdown', (event) => {
      if (event.pointerType !== 'touch') canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (isOpen() && event.pointerType !== 'touch') move(placeOf(event));
    });
    canvas.addEventListener('mousedown', (event) => {
      event.preventDefault();
      this.focus();
      this.buttons.press(event.button, placeOf(event));
    });
    canvas.addEventListener('mouseup', (event) => {
      // Buttons 3 and 4 would leave the page.
      event.preventDefault();
      this.buttons.release(event.button, placeOf(event));
    });
    canvas.addEventListener('pointercancel', () => this.buttons.releaseAll());
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('auxclick', (event) => event.preventDefault());
    canvas.addEventListener(
      'wheel',
      (event) => {
        // Pinching, and the page's own zoom.
        if (!isOpen()) return;
        event.preventDefault();
        send(wheelAt(placeOf(event), event));
      },
      { passive: false },
    );
  }

  private hearKeys(): void {
    const { viewport, isOpen, onLeave, onFocus, pasteFor } = this.options;
    const { field } = viewport;
    field.addEventListener('focus', onFocus);
    field.addEventListener('keydown', (event) => {
      if (shortcutOf(TERMINAL, event) === 'leave-terminal') {
        event.preventDefault();
        onLeave();
        return;
      }
      this.endPaste();
      if (isOpen() && isPaste(event) && pasteFor() !== null) {
        this.pasting = event;
        // Where there is nothing to paste, nothing is said.
        setTimeout(() => this.endPaste());
      } else if (isOpen() && this.press(event)) event.preventDefault();
    });
    field.addEventListener('paste', (event) => {
      if (this.pasting === null) return;
      event.preventDefault();
      pasteFor()?.(event.clipboardData?.getData('text/plain') ?? '');
      this.endPaste();
    });
    field.addEventListener('keyup', (event) => {
      this.endPaste();
      this.keyboard.up(event);
      if (isOpen()) event.preventDefault();
    });
    const typed = (isComposing: boolean): void => {
      if (this.screenKeyboard.isShown) return this.screenKeyboard.take(isComposing);
      if (isComposing) return;
      const text = field.value;
      field.value = '';
      this.keyboard.type(text);
    };
    field.addEventListener('compositionend', () => typed(false));
    field.addEventListener('input', (event) => typed(event instanceof InputEvent && event.isComposing));
    field.addEventListener('blur', () => {
      if (this.screenKeyboard.blurred()) this.release();
    });
  }

  /** Presses the key that pastes, now that the device has the text. */
  private endPaste(): void {
    const { pasting } = this;
    this.pasting = null;
    if (pasting !== null) this.keyboard.down(pasting);
  }

  /** Takes a key that was pressed. False if the field gets it. */
  private press(event: KeyboardEvent): boolean {
    const { key, ctrlKey, altKey, metaKey } = event;
    // Keyboards on the screen say more by the text than by the key.
    const isText = this.screenKeyboard.isShown && [...key].length === 1 && !ctrlKey && !altKey && !metaKey;
    return !isText && this.keyboard.down(event);
  }
}

/** True for the keys by which the browser pastes. */
const isPaste = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'v' && (isMac ? metaKey : ctrlKey) && !altKey;
