import type { Page } from 'playwright-core';

/** An assignment: what is allowed or denied, and where. */
export type Rule = readonly [permission: string, effect: 'Allow' | 'Deny', scopeKind: string, scopeId: string];

/** The API, as the user who is signed in. */
export class PageApi {
  private constructor(
    private readonly page: Page,
    readonly tenantId: string,
  ) {}

  static async of(page: Page): Promise<PageApi> {
    const { tenant } = await call<{ tenant: { id: string } }>(page, 'GET', '/account/session');
    return new PageApi(page, tenant.id);
  }

  /** Sends JSON and returns the answer, if there is one. */
  post<T>(path: string, body: object): Promise<T> {
    return call(this.page, 'POST', `${path}?tenantId=${this.tenantId}`, body);
  }

  put<T>(path: string, body: object): Promise<T> {
    return call(this.page, 'PUT', `${path}?tenantId=${this.tenantId}`, body);
  }

  /** Creates something and returns its id. */
  async create(path: string, data: object): Promise<string> {
    return (await this.post<{ id: string }>(path, data)).id;
  }

  /** Gives rules to a user or a group. */
  async assign(principalKind: 'User' | 'UserGroup', principalId: string, rules: readonly Rule[]): Promise<void> {
    const assignments = rules.map(([permissionName, effect, scopeKind, scopeId]) => ({
      principalKind,
      principalId,
      permissionName,
      effect,
      scopeKind,
      scopeId,
    }));
    await this.post('/api/v1/permission-assignments/batch', { assignments });
  }
}

/** Calls the service from within the page. */
async function call<T>(page: Page, method: string, path: string, body?: object): Promise<T> {
  const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }) };
  const { status, text } = await page.evaluate<{ status: number; text: string }>(`fetch(${JSON.stringify(path)}, ${JSON.stringify(init)})
    .then(async (answer) => ({ status: answer.status, text: await answer.text() }))`);
  if (status >= 400) throw new Error(`${method} ${path} answered ${status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
