/** Delivery state of a message of the user. */
export type Delivery = 'sending' | 'delivered' | 'failed';

export interface ChatMessage {
  readonly id: string;
  /** The name of who wrote it; null for the user of this page. */
  readonly from: string | null;
  readonly text: string;
  readonly at: Date;
  /** Of the user's own messages. */
  readonly delivery?: Delivery;
}

/** The messages, with the new delivery state of one of them. */
export const withDelivery = (messages: readonly ChatMessage[], id: string, delivery: Delivery): readonly ChatMessage[] =>
  messages.map((message) => (message.id === id ? { ...message, delivery } : message));

/** True if a key sends the message: Enter does, unless with Shift, which begins a line, or while a word is composed, which it ends. */
export const sends = ({ key, shiftKey, isComposing }: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'isComposing'>): boolean =>
  key === 'Enter' && !shiftKey && !isComposing;
