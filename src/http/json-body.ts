import type { IncomingMessage } from 'node:http';

import { raw, type NextFunction, type Request, type RequestHandler, type Response } from 'express';

import { DomainError, ErrorCode, invalid } from '../common/errors.js';

/** Largest JSON body, in bytes; a larger one answers 413. */
export const JSON_BODY_LIMIT = 1024 * 1024;
/** Deepest nesting of a JSON body; deeper ones would exhaust the stack of what reads them. */
export const MAX_JSON_DEPTH = 64;
/** How long a JSON body may take to arrive. It is read before the caller is known. */
const JSON_BODY_DEADLINE_MS = 30_000;

const MEDIA_TYPES = ['application/json', 'application/*+json'];
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;
const NOT_JSON = 'The body is not valid JSON.';

/**
 * Stands for a body that is no JSON, with what to answer a caller whose route needs JSON: routes that take files read theirs
 * themselves, others have no use for a body, and first of all the caller has to be known.
 */
class UnusableBody {
  constructor(readonly refusal: DomainError) {}
}

/** Reads JSON bodies of any kind of value into `request.body`; {@link requireJsonBody} tells whether it could. */
export function jsonBody({ deadlineMs = JSON_BODY_DEADLINE_MS } = {}): RequestHandler {
  const read = raw({ limit: JSON_BODY_LIMIT, type: MEDIA_TYPES });
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!hasBody(request)) {
      next();
      return;
    }
    const deadline = setTimeout(() => request.destroy(), deadlineMs);
    read(request, response, (failure?: unknown) => {
      clearTimeout(deadline);
      const contentType = request.headers['content-type'] ?? '';
      const bytes: unknown = request.body;
      try {
        if (failure !== undefined) throw refusalOf(failure);
        if (!Buffer.isBuffer(bytes)) throw otherContentType(contentType);
        request.body = parseJson(bytes, contentType);
      } catch (error) {
        if (!(error instanceof DomainError)) {
          next(error);
          return;
        }
        request.body = new UnusableBody(error);
      }
      next();
    });
  };
}

/** Refuses a body that could not be read as JSON: 400, 413 for one that is too large, 415 for other content. */
export function requireJsonBody(body: unknown): void {
  if (body instanceof UnusableBody) throw body.refusal;
}

/** Whether brackets and braces in JSON text nest deeper than the limit. Text that is no JSON gets any answer. */
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

/** The value of JSON text; undefined when it is empty. */
function parseJson(bytes: Buffer, contentType: string): unknown {
  // JSON on the wire is UTF-8 (RFC 8259), and the nesting of other encodings could not be told from their bytes.
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

/** What the reader's failure means to the caller; it tells them apart by a type. */
function refusalOf(failure: unknown): DomainError {
  const type = typeof failure === 'object' && failure !== null && 'type' in failure ? failure.type : undefined;
  if (type === 'entity.too.large') return new DomainError(ErrorCode.PayloadTooLarge, `The body is larger than ${JSON_BODY_LIMIT} bytes.`);
  if (type === 'encoding.unsupported') return unsupportedMediaType('The content encoding of the body is not supported.');
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
