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

/** An event between the messages. A lost chat continues with the next message; an ended one does not. */
export interface ChatEvent {
  readonly id: string;
  readonly event: 'ended-by-user' | 'ended-by-person' | 'ended-by-right' | 'lost';
  /** The person who ended it. */
  readonly by?: string;
  readonly at: Date;
}

export type ChatEntry = ChatMessage | ChatEvent;

/** The entries, with the new delivery state of one message. */
export const withDelivery = (entries: readonly ChatEntry[], id: string, delivery: Delivery): readonly ChatEntry[] =>
  entries.map((entry) => (entry.id === id ? { ...entry, delivery } : entry));

/** True if a key sends the message: Enter does, unless with Shift, which begins a line, or while a word is composed, which it ends. */
export const sends = ({ key, shiftKey, isComposing }: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'isComposing'>): boolean =>
  key === 'Enter' && !shiftKey && !isComposing;
