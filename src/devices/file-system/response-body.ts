import type { Writable } from 'node:stream';

import { Logger } from '@nestjs/common';
import type { Response } from 'express';

import { DomainError } from '../../platform/common/errors/errors.js';
import { COMPRESSION_THRESHOLD, openTextStream } from '../../platform/http/bodies/compression.js';
import { beginTransfer } from '../../platform/http/connections/fair-shares.js';

/** Bytes that may wait for the client before the device has to pause. */
const HIGH_WATER_BYTES = 256 * 1024;

/** The client disconnected, or took nothing for too long. No error can be answered any more. */
class ReaderGone extends Error {
  override readonly name = 'ReaderGone';
}

/** Limits that end the writing of a body early. */
export interface BodyLimits {
  /** Longest time that the client may take nothing, in milliseconds. */
  readonly idleMs: number;
  /** Fires when the body may no longer be sent; its reason is answered, or logged after the first byte. */
  readonly ended: AbortSignal;
}

/**
 * The body of one response, which a device sends. It is written no faster than the client reads it. A failure before
 * the first byte becomes an error response; a later one cuts the connection, so a body that ends normally is complete.
 */
export class ResponseBody {
  private static readonly logger = new Logger('DeviceTransfers');
  private readonly gone = new AbortController();
  /** The stream that parts are written to: the response, or a compressor in front of it. */
  private stream: Writable;

  private constructor(
    private readonly response: Response,
    private readonly idleMs: number,
    ended: AbortSignal,
  ) {
    this.stream = response;
    this.endOn(ended);
    response.once('close', () => this.gone.abort(new ReaderGone('The reader went away.')));
  }

  /**
   * Runs work that writes the body of the response. A client that takes nothing for `idleMs` is cut off, because it
   * blocks the stream of the device.
   */
  static async write(response: Response, { idleMs, ended }: BodyLimits, work: (body: ResponseBody) => Promise<void>): Promise<void> {
    await beginTransfer(response.req);
    try {
      await work(new ResponseBody(response, idleMs, ended));
    } catch (error) {
      const isDeviceFault = response.headersSent && error instanceof DomainError;
      if (!isDeviceFault && !(error instanceof ReaderGone)) throw error;
      const message = { message: 'A transfer was cut off.', requestId: response.req.id, reason: error.message };
      if (isDeviceFault) ResponseBody.logger.warn(message);
      else ResponseBody.logger.debug(message);
      response.destroy();
    }
  }

  /** Ends the body when the signal fires; its reason is answered, or logged after the first byte. */
  endOn(ended: AbortSignal): void {
    const { response } = this;
    ended.addEventListener('abort', () => {
      this.gone.abort(ended.reason);
      // Nothing that waits for a slow client is sent any more.
      if (response.headersSent) response.destroy();
    });
  }

  /** Fires when the client disconnects, or when the right to the transfer has ended. */
  get signal(): AbortSignal {
    return this.gone.signal;
  }

  /**
   * Writes the head as soon as the first part has arrived, then all parts: bytes unchanged, long text compressed if the
   * client accepts that. Settles after the last part was handed over.
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
        reject(signal.reason as Error);
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
