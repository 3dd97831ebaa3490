import type { IncomingMessage } from 'node:http';

import { raw, type NextFunction, type Request, type RequestHandler, type Response } from 'express';

import { DomainError, ErrorCode, invalid } from '../../common/errors/errors.js';

/** Largest JSON body, in bytes. A larger one is refused with 413. */
export const JSON_BODY_LIMIT = 1024 * 1024;
/** Deepest nesting of a JSON body. Code that reads deeper bodies recursively would exhaust its stack. */
export const MAX_JSON_DEPTH = 64;
/** Longest time in which a JSON body must arrive. It is read before authentication, so anyone can send one. */
export const JSON_BODY_DEADLINE_MS = 30_000;

/** Bytes that a part of a body takes besides its content. A client may cut a body into parts of one byte. */
const PART_BYTES = 256;

/**
 * Bytes of all JSON bodies that are arriving. Beyond it the one that began first is cut off: bodies of honest clients arrive within
 * moments, so that a flood of slow ones pushes itself out.
 */
export const ARRIVING_JSON_LIMIT = 64 * JSON_BODY_LIMIT;

const MEDIA_TYPES = ['application/json', 'application/*+json'];
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;
const NOT_JSON = 'The body is not valid JSON.';

/**
 * Takes the place of a body that could not be read as JSON and holds the refusal. The refusal is thrown only by routes
 * that need JSON, and after authentication: upload routes read their own body, and other routes ignore it.
 */
class UnusableBody {
  constructor(readonly refusal: DomainError) {}
}

interface JsonBodyOptions {
  readonly deadlineMs?: number;
  /** Called when a request was read, with its JSON body. One more handler of the application would cost each request more. */
  readonly onRead?: (request: Request) => void;
}

/** Reads JSON bodies with any kind of value into `request.body`. {@link requireJsonBody} throws if that failed. */
export function jsonBody({ deadlineMs = JSON_BODY_DEADLINE_MS, onRead }: JsonBodyOptions = {}): RequestHandler {
  // The memory of a compressed body could not be counted while it arrives: 1 KiB of it may hold 1 MiB.
  const read = raw({ limit: JSON_BODY_LIMIT, type: MEDIA_TYPES, inflate: false });
  const arriving = new ArrivingBodies();
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!hasBody(request)) {
      onRead?.(request);
      next();
      return;
    }
    const deadline = setTimeout(() => request.destroy(), deadlineMs);
    const arrived = request.is(MEDIA_TYPES) === false ? undefined : arriving.begin(request);
    read(request, response, (failure?: unknown) => {
      clearTimeout(deadline);
      arrived?.();
      const contentType = request.headers['content-type'] ?? '';
      const bytes: unknown = request.body;
      try {
        if (failure !== undefined) throw unreadableBody(failure);
        if (!Buffer.isBuffer(bytes)) throw otherContentType(contentType);
        request.body = parseJson(bytes, contentType);
      } catch (error) {
        if (!(error instanceof DomainError)) {
          next(error);
          return;
        }
        request.body = new UnusableBody(error);
      }
      onRead?.(request);
      next();
    });
  };
}

/** Counts the bytes that bodies take while they arrive. */
class ArrivingBodies {
  /** Bytes that each body takes, the oldest body first. */
  private readonly bytes = new Map<IncomingMessage, number>();
  private total = 0;

  /** Begins to count. The returned function ends it. */
  begin(request: IncomingMessage): () => void {
    const count = ({ length }: Buffer): void => {
      const taken = length + PART_BYTES;
      this.bytes.set(request, (this.bytes.get(request) ?? 0) + taken);
      this.total += taken;
      while (this.total > ARRIVING_JSON_LIMIT) this.cutOffOldest();
    };
    this.bytes.set(request, 0);
    request.on('data', count);
    return () => {
      request.off('data', count);
      this.forget(request);
    };
  }

  private cutOffOldest(): void {
    const [[oldest]] = this.bytes;
    this.forget(oldest);
    oldest.destroy();
  }

  private forget(request: IncomingMessage): void {
    this.total -= this.bytes.get(request) ?? 0;
    this.bytes.delete(request);
  }
}

/**
 * Throws the refusal of a body that could not be read as JSON: 400 for invalid JSON, 413 for a body that is too large,
 * 415 for another content type.
 */
export function requireJsonBody(body: unknown): void {
  if (body instanceof UnusableBody) throw body.refusal;
}

/** True for what took the place of a body that {@link requireJsonBody} refuses. */
export function isJsonBodyUnusable(body: unknown): boolean {
  return body instanceof UnusableBody;
}

/** Checks whether brackets and braces in JSON text nest deeper than the limit. The result is arbitrary for text that is not JSON. */
export function nestsDeeperThan(limit: number, text: Uint8Array): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (isInString) {
      if (byte === Ascii.Backslash) at++;
      else if (byte === Ascii.Quote) isInString = false;
    } else if (byte === Ascii.Quote) isInString = true;
    else if (byte === Ascii.OpenBrace || byte === Ascii.OpenBracket) {
      depth++;
      if (depth > limit) return true;
    } else if (byte === Ascii.CloseBrace || byte === Ascii.CloseBracket) depth--;
  }
  return false;
}

const Ascii = { Quote: 0x22, OpenBracket: 0x5b, Backslash: 0x5c, CloseBracket: 0x5d, OpenBrace: 0x7b, CloseBrace: 0x7d } as const;

/** The value of JSON text; undefined for an empty text. */
function parseJson(bytes: Buffer, contentType: string): unknown {
  // JSON in messages is UTF-8 (RFC 8259). Besides, the nesting check works on UTF-8 bytes only.
  const charset = CHARSET.exec(contentType)?.[1] ?? 'utf-8';
  if (!/^utf-?8$/i.test(charset)) throw unsupportedMediaType(`Send JSON as UTF-8 instead of ${charset}.`);
  if (bytes.length === 0) return undefined;
  if (nestsDeeperThan(MAX_JSON_DEPTH, bytes)) throw invalid(`The body nests deeper than ${MAX_JSON_DEPTH} levels.`);
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return value;
  } catch {
    throw new DomainError(ErrorCode.Invalid, NOT_JSON, { $: [NOT_JSON] });
  }
}

/** The refusal for a failure of the body reader, which marks the kind of failure by `type`. */
export function unreadableBody(failure: unknown): DomainError {
  const type = typeof failure === 'object' && failure !== null && 'type' in failure ? failure.type : undefined;
  if (type === 'entity.too.large') return new DomainError(ErrorCode.PayloadTooLarge, `The body is larger than ${JSON_BODY_LIMIT} bytes.`);
  if (type === 'encoding.unsupported') return unsupportedMediaType('Send the body without a content encoding.');
  return invalid('The body could not be read.');
}

function otherContentType(contentType: string): DomainError {
  const given = contentType === '' ? 'a body without a content type' : `the content type ${contentType}`;
  return unsupportedMediaType(`Send application/json instead of ${given}.`);
}

function unsupportedMediaType(message: string): DomainError {
  return new DomainError(ErrorCode.UnsupportedMediaType, message);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
