import { request, type ClientRequest, type IncomingMessage } from 'node:http';

import { eventually } from '../eventually.js';

/** An event as the API answers it, as far as tests look at it. */
export interface ReadEvent {
  readonly id: string;
  readonly kind: string;
  readonly deviceId: string | null;
  readonly actor: { readonly kind: string; readonly id: string; readonly name: string } | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Follows events as a browser's EventSource does, without connecting again by itself. */
export class EventStreamReader {
  readonly events: ReadEvent[] = [];
  /** Id that the next connection sends; empty before the first one. */
  lastId = '';
  comments = 0;
  hasEnded = false;
  private buffer = '';

  private constructor(
    private readonly sending: ClientRequest,
    readonly response: IncomingMessage,
  ) {
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.take(text));
    response.on('close', () => (this.hasEnded = true));
    // A cut connection ends the stream like any other end.
    response.on('error', () => undefined);
  }

  /** Connects, with `Last-Event-ID` among the headers if a stream is resumed. */
  static open(url: string, headers: Readonly<Record<string, string>>): Promise<EventStreamReader> {
    return new Promise((resolve, reject) => {
      const sending = request(url, { headers }, (response) => resolve(new EventStreamReader(sending, response)));
      sending.once('error', reject);
      sending.end();
    });
  }

  get status(): number {
    return this.response.statusCode ?? 0;
  }

  /** Waits for a number of events since the beginning. */
  async received(count: number): Promise<readonly ReadEvent[]> {
    await eventually(`${count} events have come`, () => this.events.length >= count);
    return this.events;
  }

  /** Waits for the end of the stream. */
  async ended(): Promise<void> {
    await eventually('the stream has ended', () => this.hasEnded);
  }

  close(): void {
    this.sending.destroy();
  }

  private take(text: string): void {
    const blocks = (this.buffer + text).split('\n\n');
    this.buffer = blocks.pop() ?? '';
    for (const block of blocks) {
      for (const line of block.split('\n')) {
        if (line.startsWith(':')) this.comments += 1;
        else if (line.startsWith('id: ')) this.lastId = line.slice(4);
        else if (line.startsWith('data: ')) this.events.push(JSON.parse(line.slice(6)) as ReadEvent);
      }
    }
  }
}
