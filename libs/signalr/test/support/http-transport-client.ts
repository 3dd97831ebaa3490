import { Agent, type ClientRequest, type IncomingMessage, request, type RequestOptions } from 'node:http';

/** A whole HTTP answer. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export const record = (message: object): string => `${JSON.stringify(message)}\x1e`;

/** Speaks for one connection of a hub over plain HTTP, step by step, as no ready-made client would. */
export class HttpTransportClient {
  readonly #agent = new Agent({ keepAlive: true });

  /** @param headers of every request, such as a credential */
  constructor(
    private readonly hub: string,
    readonly token: string,
    private readonly headers: Record<string, string> = {},
  ) {}

  static async negotiate(hub: string, headers: Record<string, string> = {}): Promise<HttpTransportClient> {
    const response = await fetch(`${hub}/negotiate?negotiateVersion=1`, { method: 'POST', headers });
    if (response.status !== 200) throw new Error(`Negotiating was answered ${response.status}.`);
    const { connectionToken }: { connectionToken: string } = JSON.parse(await response.text());
    return new HttpTransportClient(hub, connectionToken, headers);
  }

  /** Opens a connection over long polling, and shakes hands. */
  static async poll(hub: string, headers: Record<string, string> = {}): Promise<HttpTransportClient> {
    const client = await HttpTransportClient.negotiate(hub, headers);
    await client.poll();
    await client.post(record({ protocol: 'json', version: 1 }));
    const { body } = await client.poll();
    if (body !== '{}\x1e') throw new Error(`The handshake was answered '${body}'.`);
    return client;
  }

  /** A poll until its answer. */
  poll(): Promise<Answer> {
    return answerTo(this.begin('GET'));
  }

  post(body: string | Buffer): Promise<Answer> {
    return answerTo(this.begin('POST').end(body));
  }

  delete(): Promise<Answer> {
    return answerTo(this.begin('DELETE'));
  }

  /** An event stream: the answer as soon as its headers are there. */
  events(): Promise<IncomingMessage> {
    const events = this.begin('GET', { Accept: 'text/event-stream' });
    return new Promise((resolve, reject) => events.on('response', resolve).on('error', reject));
  }

  /** Begins a request. One without a body is complete. */
  begin(method: string, headers: Record<string, string> = {}): ClientRequest {
    const options: RequestOptions = { method, agent: this.#agent, headers: { ...this.headers, ...headers } };
    const begun = request(`${this.hub}?id=${encodeURIComponent(this.token)}`, options);
    return method === 'POST' ? begun : begun.end();
  }

  /** Closes the sockets. */
  leave(): void {
    this.#agent.destroy();
  }
}

/** The whole answer to a request. */
export function answerTo(sent: ClientRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => (body += text));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
  });
}
