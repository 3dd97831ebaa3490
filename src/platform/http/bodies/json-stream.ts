import type { Writable } from 'node:stream';

import type { Response } from 'express';

import type { Pages } from '../../common/resources/pages.js';
import { beginTransfer } from '../connections/fair-shares.js';
import './bare-list.js';
import { COMPRESSION_THRESHOLD, openTextStream } from './compression.js';
import { setEntityTag } from './entity-tags.js';

/**
 * Answers 200 with a value as JSON. Lists in it may still be unread: an async iterable of pages is written as the array
 * of their items. Writing is as fast as the client reads; each page is read after the page before was sent. Reading
 * ends when the client disconnects, and when its credential or right has ended, because a slow reader may take hours. An
 * error after the first byte is thrown to the caller, whose filter cuts the connection, so JSON that parses is complete.
 * Routes with bare lists answer the items alone.
 */
export function streamJson(response: Response, value: unknown): Promise<void> {
  response.status(200).type('application/json');
  return streamText(response, textOf(response.req.takesBareList ? itemsOf(value) : value), () => setEntityTag(response, value));
}

/** Answers a text in the same way. `begin` sets headers, right before the first byte. */
export async function streamText(response: Response, texts: AsyncIterable<string>, begin: () => void): Promise<void> {
  let stream: Writable | null = null;
  let pending = '';
  for await (const text of texts) {
    if (response.destroyed) return;
    pending += text;
    if (pending.length < COMPRESSION_THRESHOLD) continue;
    if (stream === null) {
      await beginTransfer(response.req);
      begin();
      stream = openTextStream(response);
    } else {
      await response.req.requireStillAllowed?.();
    }
    if (response.req.method === 'HEAD') break;
    const hasRoom = stream.write(pending);
    pending = '';
    if (!hasRoom && !(await drained(stream))) return;
  }
  if (stream === null) {
    begin();
    response.setHeader('Content-Length', Buffer.byteLength(pending));
  } else {
    await response.req.requireStillAllowed?.();
  }
  (stream ?? response).end(pending);
}

function itemsOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('items' in value)) throw new Error('The answer has no items.');
  return value.items;
}

/** The JSON text of a value, in pieces. */
async function* textOf(value: unknown): AsyncGenerator<string> {
  if (isPages(value)) yield* textOfPages(value);
  else if (hasPages(value)) yield* textOfMembers(value);
  else yield JSON.stringify(value);
}

async function* textOfPages(pages: Pages<unknown>): AsyncGenerator<string> {
  let separator = '[';
  for await (const items of pages) {
    if (items.length === 0) continue;
    // All items of a list have the same shape.
    if (hasPages(items[0])) {
      for (const item of items) {
        yield separator;
        yield* textOf(item);
        separator = ',';
      }
    } else {
      yield separator + items.map((item) => JSON.stringify(item)).join(',');
      separator = ',';
    }
  }
  yield separator === '[' ? '[]' : ']';
}

async function* textOfMembers(value: object): AsyncGenerator<string> {
  let separator = '{';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    yield* textOf(member);
    separator = ',';
  }
  yield '}';
}

function isPages(value: unknown): value is Pages<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function hasPages(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.values(value).some(isPages);
}

/** Waits until the stream accepts more data; false when it was closed instead. */
function drained(stream: Writable): Promise<boolean> {
  if (stream.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const settle = (isOpen: boolean): void => {
      stream.off('drain', onDrain);
      stream.off('close', onClose);
      resolve(isOpen);
    };
    const onDrain = (): void => settle(true);
    const onClose = (): void => settle(false);
    stream.once('drain', onDrain);
    stream.once('close', onClose);
  });
}

declare module 'express-serve-static-core' {
  interface Request {
    /** Throws when the caller may no longer do what the guard allowed. Set by the access guard; anonymous routes have none. */
    requireStillAllowed?: () => Promise<void>;
  }
}
