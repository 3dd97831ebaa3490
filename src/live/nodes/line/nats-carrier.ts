import { setTimeout as delay } from 'node:timers/promises';

import { Logger } from '@nestjs/common';

import { messageOf } from '../../../platform/common/errors/errors.js';
import { type Carrier, type CarrierListener, MAXIMUM_MESSAGE_BYTES, type ServerOfLine, SUBJECTS } from './carrier.js';
import {
  connectToNats,
  isNobody,
  isUnknownKey,
  type Msg,
  type NatsConnection,
  type NatsOptions,
  refusedSubject,
} from './nats-connection.js';

/** Pause before the next try when NATS is away at the start, in milliseconds. */
const FIRST_CONNECT_PAUSE_MS = 500;
/** Time for the last messages at the end, in milliseconds. */
const DRAIN_TIMEOUT_MS = 2_000;

/** NATS does not let this node in: the key is unknown to it, or may not use the subjects of nodes; or its own limits are too low. */
export class NatsRefusal extends Error {
  override readonly name = 'NatsRefusal';

  constructor(
    readonly about: 'key' | 'limits',
    message: string,
  ) {
    super(message);
  }
}

/** The carrier of NATS. */
export class NatsCarrier implements Carrier {
  private readonly logger = new Logger('Nats');
  private connection: NatsConnection | null = null;
  private isConnected = false;
  private isClosed = false;
  /** The reason of the last failed attempt. */
  private failure = '';

  private constructor(
    private readonly nodeId: string,
    private readonly options: NatsOptions,
    private readonly listener: CarrierListener,
  ) {}

  /**
   * Connects. While no server of NATS is reached, it goes on trying in the background.
   * @throws NatsRefusal when NATS refuses the key, or permits too little
   */
  static async open(nodeId: string, options: NatsOptions, listener: CarrierListener): Promise<NatsCarrier> {
    const carrier = new NatsCarrier(nodeId, options, listener);
    if (!(await carrier.connect())) void carrier.connectLater();
    return carrier;
  }

  isUp(): boolean {
    return this.isConnected;
  }

  server(): ServerOfLine | null {
    const { connection } = this;
    if (!this.isConnected || connection === null) return null;
    const { version, cluster = null, connect_urls: known = [] } = connection.info ?? {};
    return { address: connection.getServer(), version: version ?? '', cluster, known };
  }

  publish(subject: string, payload: Uint8Array, reply?: string): void {
    if (this.isConnected) this.connection?.publish(subject, payload, reply === undefined ? undefined : { reply });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const { connection, isConnected } = this;
    this.isConnected = false;
    if (connection === null || connection.isClosed()) return;
    if (isConnected) await Promise.race([connection.drain().catch((error: unknown) => this.unsent(error)), delay(DRAIN_TIMEOUT_MS)]);
    if (!connection.isClosed()) await connection.close();
  }

  private unsent(error: unknown): void {
    this.logger.warn({ message: 'The last messages to other nodes were not sent.', reason: messageOf(error) });
  }

  private async connectLater(): Promise<void> {
    const { servers } = this.options;
    const reason = this.failure;
    this.logger.warn({ message: 'NATS cannot be reached. The node goes on without it and tries again.', servers, reason });
    while (!this.isClosed) {
      await delay(FIRST_CONNECT_PAUSE_MS);
      try {
        if (this.isClosed || (await this.connect())) return;
      } catch (error) {
        this.logger.error({ message: 'NATS refuses this node.', reason: messageOf(error) });
      }
    }
  }

  /** Returns false if no server is reached. @throws NatsRefusal */
  private async connect(): Promise<boolean> {
    let connection: NatsConnection;
    try {
      connection = await connectToNats(this.options);
    } catch (error) {
      this.failure = messageOf(error);
      if (isUnknownKey(error)) throw new NatsRefusal('key', 'NATS does not know the key, or the user and the password.');
      return false;
    }
    try {
      this.checkSize(connection);
      await this.subscribe(connection);
    } catch (error) {
      // It would come back by itself, and hear every call beside the next connection.
      await connection.close();
      if (error instanceof NatsRefusal) throw error;
      this.failure = messageOf(error);
      return false;
    }
    if (this.isClosed) {
      await connection.close();
      return true;
    }
    this.connection = connection;
    this.isConnected = true;
    this.listener.up();
    void this.watch(connection);
    return true;
  }

  /** @throws NatsRefusal when NATS takes no messages of the size that nodes may send */
  private checkSize(connection: NatsConnection): void {
    const takes = connection.info?.max_payload ?? 0;
    if (takes >= MAXIMUM_MESSAGE_BYTES) return;
    throw new NatsRefusal('limits', `NATS takes messages of ${takes} bytes. Set max_payload in its configuration to 2MB.`);
  }

  /** Subscribes to what this node hears. @throws NatsRefusal; the error of the client when the connection ends */
  private async subscribe(connection: NatsConnection): Promise<void> {
    const refusals: Error[] = [];
    for (const subject of [SUBJECTS.node(this.nodeId), SUBJECTS.answers(this.nodeId), SUBJECTS.all]) {
      connection.subscribe(subject, {
        callback: (error, message) => {
          if (error === null) this.hear(message);
          else refusals.push(error);
        },
      });
    }
    // What the server refuses comes before its answer to this.
    await connection.flush();
    const [refusal] = refusals;
    if (refusal === undefined) return;
    throw new NatsRefusal('key', refusedSubject(refusal) ?? messageOf(refusal));
  }

  private hear(message: Msg): void {
    const { subject, data } = message;
    if (isNobody(message)) this.listener.nobody(subject);
    else this.listener.message({ subject, reply: message.reply ?? '', payload: data });
  }

  private async watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') this.wentDown();
      else if (status.type === 'reconnect') this.cameBack(status.server);
      else if (status.type === 'error') this.logger.error({ message: 'NATS refused something.', reason: messageOf(status.error) });
      else if (status.type === 'ldm')
        this.logger.log({ message: 'A server of NATS ends soon: this node moves to another one.', server: status.server });
    }
    this.wentDown();
  }

  private cameBack(server: string): void {
    this.isConnected = true;
    this.logger.log({ message: 'NATS is reached again.', server });
    this.listener.up();
  }

  private wentDown(): void {
    if (!this.isConnected) return;
    this.isConnected = false;
    if (!this.isClosed) this.logger.warn({ message: 'NATS is away. Calls to devices of other nodes fail until it is back.' });
    this.listener.down();
  }
}
