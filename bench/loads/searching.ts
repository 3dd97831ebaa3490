import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import { serveCalls } from '../harness/serve-calls.js';

/*
 * Runs searches one after another over a kept-alive connection and returns the time and the result of each. The
 * results show whether two servers give the same answer.
 */

export interface Ask {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The request body as JSON. */
  readonly body: string;
}

export interface SearchResult {
  readonly milliseconds: number;
  readonly items: number;
  readonly totalItems: number;
}

interface SearchAnswer {
  readonly items: readonly unknown[];
  readonly totalItems: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const calls = {
  async search(asks: readonly Ask[]): Promise<SearchResult[]> {
    const results: SearchResult[] = [];
    for (const ask of asks) results.push(await search(ask));
    return results;
  },
};

export type SearchCalls = typeof calls;
serveCalls(calls);

async function search({ url, headers = {}, body }: Ask): Promise<SearchResult> {
  const started = performance.now();
  const asked = request(url, {
    agent,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
  });
  asked.end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const content = await text(response);
  const milliseconds = performance.now() - started;
  if (response.statusCode !== 200) throw new Error(`A search was answered with ${response.statusCode}: ${content}`);
  const { items, totalItems } = JSON.parse(content) as SearchAnswer;
  return { milliseconds, items: items.length, totalItems };
}
