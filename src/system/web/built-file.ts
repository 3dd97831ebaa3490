import { createHash } from 'node:crypto';
import { extname } from 'node:path';

import type { Request, Response } from 'express';

import { PAGE_HEADERS } from './page-headers.js';

/** The encodings that the build writes beside a file, preferred first, with the ends of their names. */
export const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

type EncodingName = (typeof ENCODINGS)[number]['name'];

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** A file whose name changes with its content, and one whose does not. */
const KEPT_FOREVER = 'public, max-age=31536000, immutable';
const ASKED_FOR_EACH_TIME = 'no-cache';

/** The content of a file in one encoding. */
interface Representation {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** A file of the built front end, in memory, ready to be sent. */
export class BuiltFile {
  private readonly type: string;
  private readonly cacheControl: string;
  private readonly plain: Representation;
  private readonly encoded = new Map<EncodingName, Representation>();

  /** `isHashed` is true if the name holds a hash of the content. */
  constructor(name: string, bytes: Buffer, encoded: Readonly<Partial<Record<EncodingName, Buffer>>>, isHashed: boolean) {
    this.type = MEDIA_TYPES[extname(name)] ?? 'application/octet-stream';
    this.cacheControl = isHashed ? KEPT_FOREVER : ASKED_FOR_EACH_TIME;
    const hash = createHash('sha256').update(bytes).digest('base64url');
    this.plain = { bytes, etag: `"${hash}"` };
    for (const encoding of ENCODINGS) {
      const compressed = encoded[encoding.name];
      if (compressed !== undefined) this.encoded.set(encoding.name, { bytes: compressed, etag: `"${hash}-${encoding.name}"` });
    }
  }

  /** Answers a GET or HEAD with the file, or with 304 if the caller has it already. */
  send(request: Request, response: Response): void {
    response.setHeader('Cache-Control', this.cacheControl);
    const representation = this.describe(request, response);
    response.setHeader('ETag', representation.etag);
    if (request.fresh) response.status(304).end();
    else finish(response, representation);
  }

  /** Answers a path that is not found with the file. Caches do not keep it. */
  sendNotFound(request: Request, response: Response): void {
    finish(response.status(404), this.describe(request, response));
  }

  /** Sets the headers of the encoding that the caller prefers. */
  private describe(request: Request, response: Response): Representation {
    for (const [name, value] of PAGE_HEADERS) response.setHeader(name, value);
    response.setHeader('Content-Type', this.type);
    if (this.encoded.size === 0) return this.plain;
    response.vary('Accept-Encoding');
    for (const [name, representation] of this.encoded) {
      if (request.acceptsEncodings(name) === false) continue;
      response.setHeader('Content-Encoding', name);
      return representation;
    }
    return this.plain;
  }
}

function finish(response: Response, { bytes }: Representation): void {
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}
