import { Transform, Writable, pipeline } from 'node:stream';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip, type BrotliOptions, type ZlibOptions } from 'node:zlib';

import { Header } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, Response } from 'express';

/**
 * Texts from this length on, in characters, are compressed. A shorter one reaches its reader in the first packets that a
 * connection sends anyway, and would cost more than it saves.
 */
export const COMPRESSION_THRESHOLD = 8_192;

/** Each piece that is written leaves at once, as far as the reader takes it. */
const BROTLI: BrotliOptions = {
  flush: constants.BROTLI_OPERATION_FLUSH,
  params: {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: 1,
    [constants.BROTLI_PARAM_LGWIN]: 18,
  },
};
const GZIP: ZlibOptions = { flush: constants.Z_SYNC_FLUSH, level: 1 };

interface Encoding {
  readonly name: 'br' | 'gzip';
  /** Compresses a whole text, away from the event loop. */
  compress(text: string, done: (error: Error | null, bytes: Buffer) => void): void;
  /** A stream that compresses what is written to it. */
  open(): Transform;
}

/** The cheapest levels: the others take several times as long and save a few per cent more. Brotli is the faster of the two. */
const ENCODINGS: readonly Encoding[] = [
  { name: 'br', compress: (text, done) => brotliCompress(text, BROTLI, done), open: () => createBrotliCompress(BROTLI) },
  { name: 'gzip', compress: (text, done) => gzip(text, GZIP, done), open: () => createGzip(GZIP) },
];

/**
 * The answers of a route hold secrets. They are never compressed, here or on their way (`no-transform`): the length of a
 * compressed answer tells of its content to somebody who can have text of their own put beside a secret.
 */
export function HoldsSecrets(): MethodDecorator {
  return Header('Cache-Control', 'no-store, no-transform');
}

/** Has the application compress long texts that it sends as a whole: JSON, pages and scripts, but no bytes and no files. */
export function compressLongTexts(app: NestExpressApplication): void {
  const express: Express = app.getHttpAdapter().getInstance();
  // Express lets an application replace methods of its responses. A middleware would cost every request for the sake of a few.
  const { send } = express.response;
  express.response.send = function sendCompressed(this: Response, body?: unknown): Response {
    if (typeof body !== 'string' || body.length < COMPRESSION_THRESHOLD) return send.call(this, body);
    const encoding = encodingOf(this);
    if (encoding === null) return send.call(this, body);
    encoding.compress(body, (error, bytes) => {
      if (error === null) this.setHeader('Content-Encoding', encoding.name);
      send.call(this, error === null ? bytes : body);
    });
    return this;
  };
}

/** Where to write a long text piece by piece: the response, or a compressor in front of it. */
export function openTextStream(response: Response): Writable {
  const encoding = encodingOf(response);
  if (encoding === null) return response;
  response.setHeader('Content-Encoding', encoding.name);
  // The first compressed bytes come later. A failure before them must cut the connection, too, instead of answering an error.
  response.flushHeaders();
  if (response.req.method === 'HEAD') return response;
  const compressor = encoding.open();
  // A reader that goes away closes the compressor, which tells the writer.
  pipeline(compressor, response, () => undefined);
  return compressor;
}

/** The encoding of a long text; null where the caller takes none, or the answer is to stay as it is. */
function encodingOf(response: Response): Encoding | null {
  if (String(response.getHeader('Cache-Control')).includes('no-transform')) return null;
  response.vary('Accept-Encoding');
  return ENCODINGS.find(({ name }) => response.req.acceptsEncodings(name) !== false) ?? null;
}
