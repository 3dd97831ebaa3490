import type { Transport, TransportListener } from '../transports/transport.js';

/** A transport without a network. It keeps sent frames, and a test sets how full the socket is. */
export class RecordingTransport implements Transport {
  readonly sent: string[] = [];
  readonly name = 'WebSockets';
  bufferedAmount = 0;
  paused = false;
  ended: 'gracefully' | 'at once' | undefined;
  drainRequests = 0;
  #listener: TransportListener;

  start(listener: TransportListener): void {
    this.#listener = listener;
  }

  write(frame: string | Buffer): void {
    this.sent.push(frame.toString());
  }

  requestDrain(): void {
    this.drainRequests++;
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }

  end(): void {
    this.ended ??= 'gracefully';
    this.#listener.transportClosed('ended');
  }

  terminate(): void {
    this.ended ??= 'at once';
    this.#listener.transportClosed('terminated');
  }

  /** The network delivers text. */
  deliver(text: string): void {
    this.deliverBytes(Buffer.from(text));
  }

  /** The network delivers bytes. */
  deliverBytes(data: Buffer): void {
    this.#listener.receive(data);
  }

  /** The network delivers bytes of a frame that has not ended. */
  deliverPartOfFrame(bytes: number): void {
    this.#listener.arriving(bytes);
  }

  /** The client pings. */
  ping(): void {
    this.#listener.controlFrame();
  }

  /** The network delivers JSON records in one piece. */
  deliverRecords(...records: object[]): void {
    this.deliver(records.map((record) => `${JSON.stringify(record)}\x1e`).join(''));
  }

  /** The network has taken everything that was sent. */
  drain(): void {
    this.bufferedAmount = 0;
    this.#listener.transportDrained();
  }

  /** The network drops the connection. */
  lose(reason = 'lost'): void {
    this.#listener.transportClosed(reason);
  }

  /** The JSON records sent so far. */
  records(): unknown[] {
    return this.sent.flatMap((text) => text.split('\x1e').slice(0, -1)).map((json): unknown => JSON.parse(json));
  }

  /** Forgets the sent frames. */
  clear(): void {
    this.sent.length = 0;
  }
}
