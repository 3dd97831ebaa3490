import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

import type { Dispatcher } from 'undici';

import { failureOf, type Passed } from './node-requests.js';
import { endWith, limitStandstill, MISDIRECTED, writeHead } from './passed-messages.js';

/** First status of an answer that is no information in between. */
const FINAL = 200;

/** Codes of errors after which the other node has cut the connection. */
const CUT: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** The answer of another node to a message of a hub connection, written to the client while it is read. */
export class ShortAnswer implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | null = null;
  private reason: Error | null = null;
  private isOver = false;
  /** True once the head was written to the client. */
  private hasBegun = false;
  /** Bytes that have arrived with the head, and leave together with it. */
  private first: Buffer | null = null;
  private isHeld = false;

  /**
   * @param settle tells the outcome, as soon as it is known
   * @param over gives the connection to the other node back: true if it may be used again
   */
  constructor(
    private readonly response: ServerResponse,
    private readonly standstillMs: number,
    private readonly settle: (passed: Passed) => void,
    private readonly over: (mayBeUsed: boolean) => void,
  ) {
    // The other node sees that the client has left.
    response.once('close', () => this.giveUp('The client has left.'));
  }

  /** Closes the connection to the other node, unless the answer is complete. */
  giveUp(reason: string): void {
    if (this.isOver) return;
    this.reason = new Error(reason);
    this.controller?.abort(this.reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.reason !== null) controller.abort(this.reason);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders, message?: string): void {
    if (status < FINAL) return;
    if (status === MISDIRECTED) return this.settle('misdirected');
    this.hasBegun = true;
    writeHead(this.response, status, message, headers);
    this.isHeld = true;
    // Bytes that came together with the head are read by then, and leave together with it.
    process.nextTick(() => this.beginStream());
    this.settle('answered');
  }

  onResponseData(controller: Dispatcher.DispatchController, bytes: Buffer): void {
    if (!this.hasBegun) return;
    if (this.isHeld && this.first === null) this.first = bytes;
    else {
      this.beginStream();
      this.write(controller, bytes);
    }
  }

  onResponseEnd(): void {
    this.isOver = true;
    this.over(true);
    if (!this.hasBegun) return;
    const { first } = this;
    this.isHeld = false;
    endWith(this.response, first);
    if (this.response.writableLength > 0) limitStandstill(this.response, this.standstillMs);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error & { code?: string }): void {
    const { response } = this;
    this.isOver = true;
    this.over(false);
    // The other node cut the connection. That is its answer, as it would be on one node. An answer that breaks off never looks complete.
    if (this.hasBegun || (this.reason === null && CUT.has(error.code ?? ''))) response.destroy();
    this.settle(response.destroyed || response.closed ? 'answered' : failureOf(error));
  }

  /** Sends the head of an answer that is longer than what has arrived with it. */
  private beginStream(): void {
    if (!this.isHeld || this.isOver) return;
    this.isHeld = false;
    limitStandstill(this.response, this.standstillMs);
    const { first } = this;
    this.first = null;
    if (first === null) this.response.flushHeaders();
    else if (this.controller !== null) this.write(this.controller, first);
  }

  private write(controller: Dispatcher.DispatchController, bytes: Buffer): void {
    if (this.response.write(bytes)) return;
    controller.pause();
    this.response.once('drain', () => this.isOver || controller.resume());
  }
}
