import { describe, expect, it } from 'vitest';

import { type ChatMessage, sends, withDelivery } from './conversation.js';

const message = (id: string): ChatMessage => ({ id, from: null, text: id, at: new Date(0), delivery: 'sending' });

describe('withDelivery', () => {
  it('changes the delivery of one message and leaves the others as they are', () => {
    const messages = [message('a'), message('b')];
    const changed = withDelivery(messages, 'b', 'failed');
    expect(changed[0]).toBe(messages[0]);
    expect(changed[1]).toEqual({ ...messages[1], delivery: 'failed' });
  });
});

describe('sends', () => {
  const key = { key: 'Enter', shiftKey: false, isComposing: false };
  it('sends the message on Enter', () => expect(sends(key)).toBe(true));
  it('does not send the message on Shift and Enter', () => expect(sends({ ...key, shiftKey: true })).toBe(false));
  it('does not send the message while a word is composed', () => expect(sends({ ...key, isComposing: true })).toBe(false));
  it('does not send the message on other keys', () => expect(sends({ ...key, key: 'a' })).toBe(false));
});
