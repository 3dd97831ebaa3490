import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import { invocation, isSuccess } from '../harness/hub-socket.js';
import { Recorder, type LoadResult } from '../harness/load.js';
import { serveCalls } from '../harness/serve-calls.js';

/*
 * Viewers that are connected by long polling. Each call is a request that sends it, and one that fetches its answer.
 */

interface PollingTarget {
  /** Server at which the connections are at home. */
  readonly url: string;
  /** Server that gets all later requests. */
  readonly pollUrl: string;
  readonly apiKey: string;
  readonly connections: number;
}

const PATH = '/hubs/viewer';
const HANDSHAKE = '{"protocol":"json","version":1}\x1e';
/** The shortest call that a viewer has. */
const CALL = invocation('1', 'UnsubscribeFromDeviceHeartbeats2', '[{"deviceIds":[]}]');

const agent = new Agent({ keepAlive: true });

/** A connection. It has one request under way at a time. */
class PollingViewer {
  private constructor(
    private readonly address: URL,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  static async connect({ url, pollUrl, apiKey }: PollingTarget): Promise<PollingViewer> {
    const headers = { 'x-api-key': apiKey };
    const answer = await exchange('POST', new URL(`${PATH}/negotiate?negotiateVersion=1`, url), headers, '');
    const { connectionToken } = JSON.parse(answer) as { readonly connectionToken: string };
    const viewer = new PollingViewer(new URL(`${PATH}?id=${encodeURIComponent(connectionToken)}`, pollUrl), headers);
    await viewer.poll();
    await viewer.send(HANDSHAKE);
    if (!(await viewer.poll()).startsWith('{}\x1e')) throw new Error('The handshake was refused.');
    return viewer;
  }

  /** Returns true if the call was answered with success. */
  async call(): Promise<boolean> {
    await this.send(CALL);
    for (;;) {
      const records = await this.poll();
      if (records.includes('"type":3')) return isSuccess(records);
    }
  }

  private poll(): Promise<string> {
    return exchange('GET', this.address, this.headers);
  }

  private send(records: string): Promise<string> {
    return exchange('POST', this.address, this.headers, records);
  }
}

let viewers: PollingViewer[] = [];

const calls = {
  async connect(target: PollingTarget): Promise<void> {
    viewers = await Promise.all(Array.from({ length: target.connections }, () => PollingViewer.connect(target)));
  },

  /** Lets every viewer call again and again for some seconds. */
  async call(seconds: number): Promise<LoadResult> {
    const recorder = new Recorder();
    const deadline = performance.now() + seconds * 1000;
    await Promise.all(
      viewers.map(async (viewer) => {
        for (let since = performance.now(); since < deadline; since = performance.now()) {
          if (await viewer.call()) recorder.completed(since);
          else recorder.fail();
        }
      }),
    );
    return recorder.result();
  },
};

export type PollingCalls = typeof calls;
serveCalls(calls);

async function exchange(method: string, url: URL, headers: Readonly<Record<string, string>>, body?: string): Promise<string> {
  const length: Readonly<Record<string, string>> = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const asked = request(url, { method, agent, headers: { ...headers, ...length } });
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const received = await text(answer);
  if (answer.statusCode !== 200) throw new Error(`${method} ${url.pathname} was answered with ${answer.statusCode}: ${received}`);
  return received;
}
