import type { IncomingMessage, ServerResponse } from 'node:http';
import { busyAnswer, type HttpAnswer, plainAnswer, respond } from './http-answer.js';

/** Takes the bytes that a client sends by requests. */
export interface PostReader {
  /** Takes bytes that may have waited for so many milliseconds. */
  receive(data: Buffer, waitedMs: number): void;
  /** Notes that a request ended in the middle of its body, so that bytes after it would not be understood. */
  brokenOff(why: string): void;
}

interface Post {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The time since which it waits for those before it. */
  readonly since: number;
}

/** The most requests of one connection that wait for an earlier one. Clients send one after the other. */
const MAXIMUM_WAITING = 16;

const TAKEN = plainAnswer(200, '');
const GONE = plainAnswer(404, 'The connection has ended.');

/**
 * The requests by which the client of a one-way transport sends. Their bodies are read one after the other, no faster than the
 * connection takes them, and each is answered when its connection has taken it.
 */
export class Posts {
  readonly #waiting: Post[] = [];
  #current: Post | undefined;
  #isPaused = false;
  #hasEnded = false;

  /** @param maximumSize the most bytes of one request */
  constructor(
    private readonly reader: PostReader,
    private readonly maximumSize: number,
  ) {}

  /** Takes a request, whose turn comes after those before it. */
  add(request: IncomingMessage, response: ServerResponse): void {
    if (this.#hasEnded) return respond(response, GONE);
    if (Number(request.headers['content-length'] ?? 0) > this.maximumSize) return refuse(response, this.#tooLarge());
    if (this.#waiting.length >= MAXIMUM_WAITING) return respond(response, busyAnswer('Too many requests of this connection wait.'));
    this.#waiting.push({ request, response, since: performance.now() });
    this.#next();
  }

  pause(): void {
    this.#isPaused = true;
    this.#current?.request.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#current?.request.resume();
  }

  /**
   * Answers all requests, because the connection has ended. The request that is being read may have ended it, so it is answered as taken.
   */
  end(): void {
    this.#hasEnded = true;
    const current = this.#current;
    this.#current = undefined;
    if (current !== undefined) {
      current.request.resume();
      respond(current.response, TAKEN);
    }
    for (const { response } of this.#waiting.splice(0)) respond(response, GONE);
  }

  #next(): void {
    while (this.#current === undefined) {
      const post = this.#waiting.shift();
      if (post === undefined) return;
      // The client has left. Nothing of its request was read, so it can be left out.
      if (!post.request.destroyed) this.#read(post);
    }
  }

  #read(post: Post): void {
    const { request, response } = post;
    const waitedMs = performance.now() - post.since;
    this.#current = post;
    let size = 0;
    if (this.#isPaused) request.pause();
    request.on('data', (data: Buffer) => {
      if (this.#current !== post) return;
      size += data.length;
      if (size <= this.maximumSize) return this.reader.receive(data, waitedMs);
      this.#current = undefined;
      refuse(response, this.#tooLarge());
      this.reader.brokenOff('a request of the client was too large');
    });
    request.on('end', () => {
      if (this.#current !== post) return;
      this.#current = undefined;
      respond(response, TAKEN);
      this.#next();
    });
    request.on('close', () => {
      if (this.#current !== post) return;
      this.#current = undefined;
      if (size > 0) return this.reader.brokenOff('the client left in the middle of a request');
      this.#next();
    });
  }

  #tooLarge(): HttpAnswer {
    return plainAnswer(413, `A request may have ${this.maximumSize} bytes.`);
  }
}

/** Answers, and ends the socket: the rest of the request is not read. */
function refuse(response: ServerResponse, { status, headers, body }: HttpAnswer): void {
  respond(response, { status, headers: { ...headers, Connection: 'close' }, body });
}
