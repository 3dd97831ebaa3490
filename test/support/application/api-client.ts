import { Agent, request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** The answer to an HTTP call. */
export class ApiAnswer {
  constructor(
    readonly status: number,
    readonly headers: Headers,
    readonly text: string,
    /** The parsed JSON body; undefined when the body is empty or not JSON. */
    readonly body: unknown,
  ) {}

  /** The body of a call that must succeed. Throws with the answer otherwise. */
  as<T>(): T {
    if (this.status >= 300) throw new Error(`The call answered ${this.status}: ${this.text}`);
    return this.body as T;
  }
}

export interface ApiCall {
  readonly query?: Record<string, string | number | boolean | undefined>;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Calls the HTTP API like an external script. */
export class ApiClient {
  constructor(
    readonly url: string,
    private readonly headers: Record<string, string>,
    /** Waits until all nodes of the service know of a write. */
    private readonly allHeard: () => Promise<void> | undefined = () => undefined,
  ) {}

  get(path: string, call: ApiCall = {}): Promise<ApiAnswer> {
    return this.call('GET', path, call);
  }

  post(path: string, call: ApiCall = {}): Promise<ApiAnswer> {
    return this.call('POST', path, call);
  }

  put(path: string, call: ApiCall = {}): Promise<ApiAnswer> {
    return this.call('PUT', path, call);
  }

  patch(path: string, call: ApiCall = {}): Promise<ApiAnswer> {
    return this.call('PATCH', path, call);
  }

  delete(path: string, call: ApiCall = {}): Promise<ApiAnswer> {
    return this.call('DELETE', path, call);
  }

  async call(method: string, path: string, { query, body, headers }: ApiCall = {}): Promise<ApiAnswer> {
    const url = new URL(path, this.url);
    for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) url.searchParams.set(name, String(value));
    const sent = body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const ofBody = sent === undefined ? {} : { 'content-type': 'application/json', 'content-length': sent.length };
    const response = await exchange(method, url, { ...this.headers, ...ofBody, ...headers }, sent);
    const text = await textOf(response);
    if (method !== 'GET') await this.allHeard();
    const isJson = /[/+]json/.test(response.headers['content-type'] ?? '');
    const parsed: unknown = isJson && text !== '' ? JSON.parse(text) : undefined;
    return new ApiAnswer(response.statusCode ?? 0, headersOf(response), text, parsed);
  }
}

/* Node's own client instead of `fetch`: the tests make tens of thousands of calls, and it needs half the time for each. */
const connections = new Agent({ keepAlive: true });

/** Sends a request and waits for the headers of the response. */
function exchange(method: string, url: URL, headers: OutgoingHttpHeaders, body: Buffer | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { method, headers, agent: connections }, resolve);
    sending.once('error', (error: NodeJS.ErrnoException) => {
      // The server may close an idle connection at the moment when it is used again.
      const isStale = sending.reusedSocket && error.code === 'ECONNRESET';
      if (isStale) resolve(exchange(method, url, headers, body));
      else reject(error);
    });
    sending.end(body);
  });
}

/** The text of a response. Only a call that sends `accept-encoding` gets a compressed one. */
async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  return decompressed(Buffer.concat(chunks), response.headers['content-encoding']).toString('utf8');
}

function decompressed(bytes: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'br') return brotliDecompressSync(bytes);
  return encoding === 'gzip' ? gunzipSync(bytes) : bytes;
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) headers.append(rawHeaders[index], rawHeaders[index + 1]);
  return headers;
}
