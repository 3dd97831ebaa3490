import type { Writable } from 'node:stream';

import { Logger } from '@nestjs/common';
import type { Response } from 'express';

import { DomainError } from '../common/errors.js';
import { COMPRESSION_THRESHOLD, openTextStream } from '../http/compression.js';

/** Bytes that may wait for the reader before the device has to wait too. */
const HIGH_WATER_BYTES = 256 * 1024;

/** The reader went away, or took nothing for too long. Nobody is left who could be told. */
class ReaderGone extends Error {
  override readonly name = 'ReaderGone';
}

/**
 * The body of one response, fed by a device. It is written no faster than its reader takes it. What fails before the first
 * byte is an error response; what fails after it cuts the connection, so that a body that ends is always whole.
 */
export class ResponseBody {
  private static readonly logger = new Logger('DeviceTransfers');
  private readonly gone = new AbortController();
  /** Where parts are written: the response, or what compresses a long text on its way there. */
  private stream: Writable;

  private constructor(
    private readonly response: Response,
    private readonly idleMs: number,
  ) {
    this.stream = response;
    response.once('close', () => this.gone.abort(new ReaderGone('The reader went away.')));
  }

  /**
   * Runs work that writes the body of the response. A reader that takes nothing for `idleMs` is cut off: it holds the
   * connection of the device.
   */
  static async write(response: Response, idleMs: number, work: (body: ResponseBody) => Promise<void>): Promise<void> {
    try {
      await work(new ResponseBody(response, idleMs));
    } catch (error) {
      const isDeviceFault = response.headersSent && error instanceof DomainError;
      if (!isDeviceFault && !(error instanceof ReaderGone)) throw error;
      const message = { message: 'A transfer was cut off.', requestId: response.req.id, reason: error.message };
      if (isDeviceFault) ResponseBody.logger.warn(message);
      else ResponseBody.logger.debug(message);
      response.destroy();
    }
  }

  /** Fires when the reader goes away. */
  get signal(): AbortSignal {
    return this.gone.signal;
  }

  /**
   * Writes the head once the first part is there, then all parts: bytes as they are, a long text compressed where the caller
   * accepts that. Settles when the last one has been handed over.
   */
  async send(head: Readonly<Record<string, string | number>>, parts: AsyncIterable<Uint8Array | string>): Promise<void> {
    const { response } = this;
    for await (const part of parts) {
      this.signal.throwIfAborted();
      if (!response.headersSent) this.begin(head, part);
      if (response.req.method === 'HEAD') break;
      this.stream.write(part);
      if (this.stream.writableLength >= HIGH_WATER_BYTES) await this.drained();
    }
    if (!response.headersSent) this.begin(head, '');
    this.stream.end();
  }

  private begin(head: Readonly<Record<string, string | number>>, first: Uint8Array | string): void {
    const { response } = this;
    response.statusCode = 200;
    for (const [name, value] of Object.entries(head)) response.setHeader(name, value);
    if (typeof first === 'string' && first.length >= COMPRESSION_THRESHOLD) this.stream = openTextStream(response);
    if (!response.headersSent) response.writeHead(200);
  }

  private async drained(): Promise<void> {
    const { stream, signal } = this;
    await new Promise<void>((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        stream.off('drain', onDrain);
        signal.removeEventListener('abort', onAbort);
      };
      const onDrain = (): void => {
        settle();
        resolve();
      };
      const onAbort = (): void => {
        settle();
        reject(new ReaderGone('The reader went away.'));
      };
      const timer = setTimeout(() => {
        settle();
        reject(new ReaderGone(`The reader took nothing for ${this.idleMs} ms.`));
      }, this.idleMs);
      stream.once('drain', onDrain);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
  }
}
