import { decodeMessage, messages, NOTHING, type MessageValue } from '#libs/desktop-stream';

/** A message that releases a button, or every key. */
type Release =
  | { readonly name: 'MouseButtonEvent'; readonly value: MessageValue<'MouseButtonEvent'> }
  | { readonly name: 'ResetKeyboardState'; readonly value: MessageValue<'ResetKeyboardState'> };

/** Most buttons that are followed. */
const MAXIMUM_BUTTONS = 16;

/** The keys and buttons that a viewer has pressed and not released. */
export class PressedInput {
  private hasKeys = false;
  private readonly buttons = new Map<number, MessageValue<'MouseButtonEvent'>>();

  /** Notes a message that goes on to the agent. @throws DesktopStreamError when it is a malformed button event */
  note(type: number, message: Uint8Array): void {
    if (type === messages.KeyEvent.type) this.hasKeys = true;
    else if (type === messages.ResetKeyboardState.type) this.hasKeys = false;
    else if (type === messages.MouseButtonEvent.type) this.noteButton(message);
  }

  /** Returns the messages that release everything, which then counts as released. */
  release(): Release[] {
    const releases: Release[] = [...this.buttons.values()].map((value) => ({
      name: 'MouseButtonEvent',
      value: { ...value, isPressed: false },
    }));
    if (this.hasKeys) releases.push({ name: 'ResetKeyboardState', value: NOTHING });
    this.buttons.clear();
    this.hasKeys = false;
    return releases;
  }

  private noteButton(bytes: Uint8Array): void {
    const message = decodeMessage(bytes);
    if (message.name !== 'MouseButtonEvent') return;
    const { button, isPressed } = message.value;
    if (!isPressed) this.buttons.delete(button);
    else if (this.buttons.size < MAXIMUM_BUTTONS) this.buttons.set(button, message.value);
  }
}
