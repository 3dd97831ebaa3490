import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

import { eventually } from '../eventually.js';

/** The public address of a service that sends mail to a {@link MailServer}: what the links in its mails begin with. */
export const MAILED_ADDRESS = 'http://devices.example.org';

/** A message as the mail server received it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The account that signed in, or null. */
  readonly user: string | null;
  /** The greeting of the sender. */
  readonly greeting: string;
  /** Headers, an empty line and the text, as sent. */
  readonly source: string;
}

/** Answers of a mail server to the steps of a session. */
export type MailHandlers = Pick<SMTPServerOptions, 'onAuth' | 'onMailFrom' | 'onRcptTo'>;

/** A mail server on this machine that keeps what it receives. By default it accepts everything, unencrypted. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  /** A test may set handlers. A step without a handler succeeds. */
  handlers: MailHandlers = {};
  /** Errors of client connections. Broken connections are expected in some tests. */
  readonly errors: Error[] = [];
  private readonly server: SMTPServer;
  private listeningOn = 0;

  private constructor(options: SMTPServerOptions) {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      disableReverseLookup: true,
      onAuth: (auth, session, done) => {
        if (this.handlers.onAuth === undefined) done(null, { user: auth.username });
        else this.handlers.onAuth(auth, session, done);
      },
      onMailFrom: (address, session, done) => {
        if (this.handlers.onMailFrom === undefined) done();
        else this.handlers.onMailFrom(address, session, done);
      },
      onRcptTo: (address, session, done) => {
        if (this.handlers.onRcptTo === undefined) done();
        else this.handlers.onRcptTo(address, session, done);
      },
      onData: (stream, { envelope, user, hostNameAppearsAs }, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const { mailFrom, rcptTo } = envelope;
          this.received.push({
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            user: user ?? null,
            greeting: hostNameAppearsAs,
            source: Buffer.concat(chunks).toString('utf8'),
          });
          done();
        });
      },
      ...options,
    });
    this.server.on('error', (error) => this.errors.push(error));
  }

  /** Starts on a free port. */
  static async start(options: SMTPServerOptions = {}): Promise<MailServer> {
    const started = new MailServer(options);
    const listener = started.server.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    started.listeningOn = (listener.address() as AddressInfo).port;
    return started;
  }

  /** Waits for a message to this address and reads its newest one. */
  async mailTo(address: string): Promise<Email> {
    const sent = (): ReceivedMail | undefined => this.received.findLast(({ to }) => to.includes(address));
    await eventually(`a mail to ${address} has come`, () => sent() !== undefined);
    return PostalMime.parse(sent()?.source ?? '');
  }

  /** The code that the newest mail to this address brings. */
  async codeTo(address: string): Promise<string> {
    const { text = '' } = await this.mailTo(address);
    const code = /#code=(\S+)/.exec(text)?.[1];
    if (code === undefined) throw new Error(`The mail to ${address} has no code: ${text}`);
    return code;
  }

  /** The configuration that makes a service send its mail here. */
  get env(): Readonly<Record<string, string>> {
    return {
      Service_AppOptions__SmtpHost: '127.0.0.1',
      Service_AppOptions__SmtpPort: String(this.port),
      Service_AppOptions__SmtpEmail: 'service@example.org',
      Service_AppOptions__SmtpDisplayName: 'Devices',
      Service_AppOptions__PublicUrl: MAILED_ADDRESS,
    };
  }

  /** Forgets the received messages and the handlers of the last test. */
  reset(): void {
    this.received.length = 0;
    this.handlers = {};
  }

  get port(): number {
    return this.listeningOn;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
