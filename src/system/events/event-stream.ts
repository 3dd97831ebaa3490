import type { Response } from 'express';

import { DomainError } from '../../platform/common/errors/errors.js';
import type { StreamPart } from './events.service.js';

/** Delay after which browsers connect again when a stream has ended, in milliseconds. */
const RETRY_MS = 3_000;
/** Time-out of a reader that takes nothing, in milliseconds. */
const READER_TIMEOUT_MS = 60_000;

/**
 * Answers with server-sent events, as fast as the reader takes them. A reader that takes nothing for a minute while more waits is cut off.
 * Ends the answer when the parts end or the reader's rights do.
 */
export async function sendEventStream(response: Response, parts: AsyncIterable<StreamPart>): Promise<void> {
  response.status(200);
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store, no-transform');
  // nginx would hold events back.
  response.setHeader('X-Accel-Buffering', 'no');
  response.flushHeaders();
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  response.write(`retry: ${RETRY_MS}\n\n`);
  try {
    for await (const part of parts) if (!response.write(textOf(part)) && !(await drained(response))) break;
  } catch (error) {
    // The reader has left, or its rights have ended: connecting again shows why.
    if (!(error instanceof DomainError)) throw error;
  }
  response.end();
}

/** The text of a part. Without events, the id alone: the reader goes on behind it, and is told of nothing. */
function textOf({ events, lastId }: StreamPart): string {
  const mark = lastId === null ? '' : `id: ${lastId}\n\n`;
  if (events.length === 0) return `: still here\n\n${mark}`;
  const texts = events.map((event) => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`);
  return texts.join('') + (lastId === events.at(-1)?.id ? '' : mark);
}

/** Settles when the reader has taken what was written; false when it left, or took nothing for too long. */
function drained(response: Response): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (hasRoom: boolean): void => {
      clearTimeout(timer);
      response.off('drain', onDrain).off('close', onClose);
      resolve(hasRoom);
    };
    const onDrain = (): void => settle(true);
    const onClose = (): void => settle(false);
    const timer = setTimeout(() => response.destroy(), READER_TIMEOUT_MS);
    response.once('drain', onDrain).once('close', onClose);
  });
}
