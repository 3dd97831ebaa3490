/** Calls the service's HTTP API with an API key. */
export class Api {
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  /** Gets the JSON body of an answer. */
  async get<T>(path: string): Promise<T> {
    return parsed(await this.call('GET', path));
  }

  /** Sends JSON, or a form with files, and returns the JSON body of the answer. */
  async post<T>(path: string, body: object): Promise<T> {
    return parsed(await this.call('POST', path, body));
  }

  /** Gets the bytes of an answer. */
  async download(path: string): Promise<Uint8Array> {
    return new Uint8Array(await (await this.call('GET', path)).arrayBuffer());
  }

  private async call(method: string, path: string, body?: object): Promise<Response> {
    const isForm = body instanceof FormData;
    const response = await fetch(new URL(path, this.url), {
      method,
      headers: { 'x-api-key': this.key, ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return response;
  }
}

async function parsed<T>(response: Response): Promise<T> {
  const body: T = JSON.parse(await response.text());
  return body;
}
