import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

import busboy from 'busboy';

import { MAX_NAME_LENGTH, MAX_PATH_LENGTH } from '#libs/contracts';

import { DomainError, ErrorCode, invalid, invalidField } from '../../platform/common/errors/errors.js';

/** The schema of the form in the API description. */
export const FORM_SCHEMA = {
  type: 'object',
  required: ['file', 'targetSaveDirectory'],
  properties: {
    targetSaveDirectory: {
      type: 'string',
      maxLength: MAX_PATH_LENGTH,
      description:
        'Absolute path of the directory on the device. If it is sent before the file, the bytes go straight to the device; otherwise the file waits on the server until it is complete.',
      examples: ['/home/anna/reports'],
    },
    overwrite: {
      type: 'boolean',
      default: false,
      description: 'True to replace a file of the same name. Send it before the file.',
    },
    file: { type: 'string', format: 'binary', description: 'The file, with its name.' },
  },
};

/** Most fields of a form. Unknown fields are ignored but counted. */
const MAX_FIELDS = 20;
/** Most bytes of one field: the longest path in UTF-8. */
const MAX_FIELD_BYTES = MAX_PATH_LENGTH * 3;
const MAX_PART_HEADERS = 20;
/** Fewest bytes around the closing boundary: a line break and two dashes before it, two dashes after it. */
const CLOSING_BYTES = 6;
const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i;
const LINE_FEED = 0x0a;

/**
 * A multipart form with one file, read no faster than the file is consumed. `open` returns at the start of the file. A
 * later fault of the form makes the reading of the file fail, so a file that was read to its end came in a valid form.
 */
export class UploadForm {
  /** The fields received so far, by lower-case name. The first of several fields with one name counts. */
  readonly fields = new Map<string, string>();
  private readonly parser: busboy.Busboy;
  private readonly boundaryBytes: number;
  private readonly begun = settleable<void>();
  private readonly ended = settleable<void>();
  private file: Readable | undefined;
  private name = '';
  private received = 0;
  private fileStart = 0;
  private failure: DomainError | undefined;
  private isOver = false;
  /** Restarts with every piece that arrives: one timer for the form, as a timer for each piece would cost more than reading it. */
  private readonly idle: NodeJS.Timeout;
  /** True if the consumer is slow, so that the sender's time does not run. */
  private isHeld = false;

  private constructor(
    private readonly request: IncomingMessage,
    private readonly idleMs: number,
    ended: AbortSignal,
  ) {
    this.boundaryBytes = boundaryBytes(request);
    this.parser = parserOf(request);
    this.idle = setTimeout(this.onIdle, idleMs);
    ended.addEventListener('abort', () => this.fail(ended.reason as DomainError), { once: true });
    this.parser.on('field', (name, value, { valueTruncated }) => this.onField(name, value, valueTruncated));
    this.parser.on('file', (name, file, { filename }) => this.onFile(name, file, filename));
    this.parser.on('fieldsLimit', () => this.fail(invalid(`The form has more than ${MAX_FIELDS} fields.`)));
    this.parser.on('error', () => this.fail(invalid('The form is not well-formed multipart/form-data.')));
    this.parser.on('close', () => this.onFormEnd());
    request.on('data', this.onData).once('end', this.onRequestEnd).once('close', this.onRequestClose);
  }

  /**
   * Reads a form up to the start of its file. 415 for another content type, 400 when there is no file. The form fails with the reason of
   * `ended`, a domain error, when that fires.
   */
  static async open(request: IncomingMessage, idleMs: number, ended: AbortSignal): Promise<UploadForm> {
    const form = new UploadForm(request, idleMs, ended);
    try {
      await form.begun.promise;
      return form;
    } catch (error) {
      form.close();
      throw error;
    }
  }

  /** The file name that the sender gave, without folders. */
  get fileName(): string {
    return this.name;
  }

  /**
   * Upper bound of the file's size in bytes; null when the request has no Content-Length. It is the length of the form
   * after the first byte of the file, without the closing boundary. This is exact when the form ends directly after the
   * file, two bytes too large when a line break follows (most senders write one), and larger when other fields follow.
   */
  get fileSizeAtMost(): number | null {
    const length = this.request.headers['content-length'];
    return length === undefined ? null : Number(length) - this.fileStart - this.boundaryBytes - CLOSING_BYTES;
  }

  /** The bytes of the file; can be read once. They end only after the whole form has arrived without a fault. */
  async *bytes(): AsyncIterable<Uint8Array> {
    try {
      if (this.file !== undefined) for await (const piece of this.file as AsyncIterable<Uint8Array>) yield piece;
    } catch (error) {
      throw this.failure ?? error;
    }
    await this.ended.promise;
  }

  /** Stops reading. The caller deals with the rest that the sender still sends. */
  close(): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.idle);
    this.request.off('data', this.onData).off('end', this.onRequestEnd).off('close', this.onRequestClose);
    this.request.pause();
    const closed = this.failure ?? invalid('The form is closed.');
    this.begun.reject(closed);
    this.ended.reject(closed);
    this.file?.destroy(closed);
    this.parser.destroy();
  }

  private fail(failure: DomainError): void {
    this.failure ??= failure;
    this.close();
  }

  private readonly onIdle = (): void => {
    if (!this.isHeld) this.fail(senderIdle(this.idleMs));
  };

  private readonly onData = (chunk: Buffer): void => {
    let hasRoom = true;
    // Written line by line until the file begins. The parser then reports its start at once, so its position in the form is known exactly.
    for (let at = 0; at < chunk.length && !this.isOver;) {
      const end = this.file === undefined ? endOfLine(chunk, at) : chunk.length;
      if (this.file === undefined) this.fileStart = this.received + at;
      hasRoom = this.parser.write(chunk.subarray(at, end));
      at = end;
    }
    this.received += chunk.length;
    if (this.isOver) return;
    this.idle.refresh();
    if (hasRoom) return;
    this.request.pause();
    this.isHeld = true;
    this.parser.once('drain', () => {
      if (this.isOver) return;
      this.isHeld = false;
      this.idle.refresh();
      this.request.resume();
    });
  };

  private readonly onRequestEnd = (): void => {
    clearTimeout(this.idle);
    this.parser.end();
  };

  private readonly onRequestClose = (): void => {
    if (!this.request.complete) this.fail(invalid('The form was cut off.'));
  };

  private onField(name: string, value: string, isTruncated: boolean): void {
    if (isTruncated) this.fail(invalidField(name, `${name} is too long.`));
    else if (!this.fields.has(name.toLowerCase())) this.fields.set(name.toLowerCase(), value);
  }

  private onFile(field: string, file: Readable, fileName: string | undefined): void {
    // The form keeps the failure. Without a listener, the event would end the process.
    file.on('error', () => undefined);
    if (this.file !== undefined) return this.fail(invalidField('file', 'Only one file can be uploaded at a time.'));
    if (field.toLowerCase() !== 'file') return this.fail(invalidField('file', 'The file must be in the field named file.'));
    if (fileName === undefined || fileName === '') return this.fail(invalidField('file', 'file must be a file with a name.'));
    if (fileName.length > MAX_NAME_LENGTH)
      return this.fail(invalidField('file', `The name of the file has more than ${MAX_NAME_LENGTH} characters.`));
    this.file = file;
    this.name = fileName;
    this.begun.resolve();
  }

  private onFormEnd(): void {
    if (this.isOver) return;
    if (this.file === undefined) return this.fail(invalidField('file', 'file is required.'));
    this.ended.resolve();
  }
}

function senderIdle(idleMs: number): DomainError {
  return new DomainError(ErrorCode.RequestTimeout, `Nothing of the form arrived for ${idleMs} ms.`);
}

function boundaryBytes({ headers }: IncomingMessage): number {
  const [, quoted, plain] = BOUNDARY.exec(headers['content-type'] ?? '') ?? [];
  return Buffer.byteLength(quoted ?? plain ?? '', 'latin1');
}

function parserOf({ headers }: IncomingMessage): busboy.Busboy {
  if (!/^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    throw new DomainError(ErrorCode.UnsupportedMediaType, 'Send the file as multipart/form-data.');
  }
  try {
    return busboy({
      headers,
      defParamCharset: 'utf8',
      limits: { fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, headerPairs: MAX_PART_HEADERS },
    });
  } catch {
    throw invalid('The content type of the form has no usable boundary.');
  }
}

function endOfLine(chunk: Buffer, from: number): number {
  const at = chunk.indexOf(LINE_FEED, from);
  return at === -1 ? chunk.length : at + 1;
}

interface Settleable<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: Error): void;
}

/** A promise that is settled from outside. Its rejection never counts as unhandled. */
function settleable<T>(): Settleable<T> {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
