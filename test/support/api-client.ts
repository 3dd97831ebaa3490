/** What an HTTP call answered. */
export class ApiAnswer {
  constructor(
    readonly status: number,
    readonly headers: Headers,
    readonly text: string,
    /** The parsed JSON body; undefined when the body is empty or no JSON. */
    readonly body: unknown,
  ) {}

  /** The body of a call that had to succeed; throws with what was answered instead. */
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

/** Calls the HTTP API as any outside script would. */
export class ApiClient {
  constructor(
    readonly url: string,
    private readonly headers: Record<string, string>,
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
    const isText = typeof body === 'string';
    const response = await fetch(url, {
      method,
      headers: { ...this.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '');
    const parsed: unknown = isJson && text !== '' ? JSON.parse(text) : undefined;
    return new ApiAnswer(response.status, response.headers, text, parsed);
  }
}
