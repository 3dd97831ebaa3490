import { Transform, Writable, pipeline } from 'node:stream';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip, type BrotliOptions, type ZlibOptions } from 'node:zlib';

import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, Response } from 'express';

/**
 * The shortest text that is compressed, in characters. A shorter one fits into one packet, so compression would cost more than it
 * saves.
 */
export const COMPRESSION_THRESHOLD = 1_024;

/** Flushes after each piece, so that the reader gets it at once. */
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
  /** Compresses a whole text in the thread pool. */
  compress(text: string, done: (error: Error | null, bytes: Buffer) => void): void;
  /** A stream that compresses what is written to it. */
  open(): Transform;
}

/**
 * Preferred first: Brotli is faster. Both use their cheapest level, because higher ones take several times as long to
 * save a few per cent.
 */
const ENCODINGS: readonly Encoding[] = [
  { name: 'br', compress: (text, done) => brotliCompress(text, BROTLI, done), open: () => createBrotliCompress(BROTLI) },
  { name: 'gzip', compress: (text, done) => gzip(text, GZIP, done), open: () => createGzip(GZIP) },
];

/** Makes the application compress long texts that it sends as a whole: JSON, pages and scripts, but no bytes and no files. */
export function compressLongTexts(app: NestExpressApplication): void {
  const express: Express = app.getHttpAdapter().getInstance();
  // Express lets an application replace methods of its responses. A middleware would cost time on every request, although few need it.
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

/** The stream to write a long text to: the response, or a compressor in front of it. */
export function openTextStream(response: Response): Writable {
  const encoding = encodingOf(response);
  if (encoding === null) return response;
  response.setHeader('Content-Encoding', encoding.name);
  // The compressor holds back the first bytes. A failure in the meantime must still cut the connection instead of answering an error.
  response.flushHeaders();
  if (response.req.method === 'HEAD') return response;
  const compressor = encoding.open();
  // When the client disconnects, closing the compressor tells the writer.
  pipeline(compressor, response, () => undefined);
  return compressor;
}

/** The encoding of a long text; null when the caller accepts none, or when the answer must not be compressed. */
function encodingOf(response: Response): Encoding | null {
  response.vary('Accept-Encoding');
  return ENCODINGS.find(({ name }) => response.req.acceptsEncodings(name) !== false) ?? null;
}
