import { TERMINAL } from '../../../../keyboard/shortcuts.js';
import { isMac, shortcutOf } from '../../../../ui/kbd/shortcuts.js';
import type { ViewerMessage } from '../worker/messages.js';
import type { Viewport } from '../viewport.js';
import { Keyboard } from './keyboard.js';
import { Buttons, type Place, placeOn, wheelAt } from './pointer.js';
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
}

/** Pointer and keyboard over the picture of a desktop. */
export class Surface {
  readonly keyboard: Keyboard;
  readonly touch: TouchInput;
  private readonly buttons: Buttons;

  constructor(private readonly options: SurfaceOptions) {
    const send = (message: ViewerMessage): void => {
      if (options.isOpen()) options.send(message);
    };
    this.keyboard = new Keyboard(send, isMac);
    this.buttons = new Buttons(send);
    const { viewport, isOpen, move } = options;
    this.touch = new TouchInput({ viewport, isOpen, buttons: this.buttons, send, move, onTouch: () => this.focus() });
    this.hearPointer();
    this.hearKeys();
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
    const { viewport, isOpen, onLeave } = this.options;
    const { field } = viewport;
    field.addEventListener('keydown', (event) => {
      if (shortcutOf(TERMINAL, event) === 'leave-terminal') {
        event.preventDefault();
        onLeave();
      } else if (isOpen() && this.keyboard.down(event)) event.preventDefault();
    });
    field.addEventListener('keyup', (event) => {
      this.keyboard.up(event);
      if (isOpen()) event.preventDefault();
    });
    const typed = (): void => {
      const text = field.value;
      field.value = '';
      this.keyboard.type(text);
    };
    field.addEventListener('compositionend', typed);
    field.addEventListener('input', (event) => {
      if (!(event instanceof InputEvent && event.isComposing)) typed();
    });
    field.addEventListener('blur', () => this.release());
  }
}
