import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';

import { serveCalls } from '../harness/serve-calls.js';

/*
 * Reads a list at full speed and counts its items. A list that was cut short is an error.
 */

interface ListLoad {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ListResult {
  readonly items: number;
  readonly bytes: number;
  readonly firstByteMs: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** Occurs once in every device, whether members are named like columns (os_description) or as in the contract (osDescription). */
const ITEM_MARK = Buffer.from('escription":');

const calls = {
  async read({ url, headers = {} }: ListLoad): Promise<ListResult> {
    const cpu = process.cpuUsage();
    const started = performance.now();
    const asked = request(url, { headers: { ...headers } });
    asked.end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`The list was answered with ${response.statusCode}.`);
    let firstByteMs: number | undefined;
    let bytes = 0;
    let items = 0;
    let carried = Buffer.alloc(0);
    for await (const piece of response as AsyncIterable<Buffer>) {
      firstByteMs ??= performance.now() - started;
      bytes += piece.length;
      const text = Buffer.concat([carried, piece]);
      for (let at = text.indexOf(ITEM_MARK); at !== -1; at = text.indexOf(ITEM_MARK, at + ITEM_MARK.length)) items += 1;
      carried = text.subarray(Math.max(0, text.length - ITEM_MARK.length + 1));
    }
    const { user, system } = process.cpuUsage(cpu);
    return {
      items,
      bytes,
      firstByteMs: firstByteMs ?? Number.NaN,
      seconds: (performance.now() - started) / 1000,
      cpuSeconds: (user + system) / 1e6,
    };
  },
};

export type ListCalls = typeof calls;
serveCalls(calls);
