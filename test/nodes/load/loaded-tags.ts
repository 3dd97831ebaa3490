import { ApiClient } from '../../support/application/api-client.js';
import { type LoadedNodes, repeatedIn } from './loaded-nodes.js';

/** Tags that are created through the API. */
export class LoadedTags {
  private readonly created: string[] = [];

  constructor(
    private readonly nodes: LoadedNodes,
    private readonly prefix: string,
  ) {}

  /** Creates a tag. True if it was acknowledged. */
  async create(number: number): Promise<boolean> {
    const name = `${this.prefix} ${number}`;
    const { tenantId } = this.nodes.enrolment;
    const client = new ApiClient(this.nodes.next(), this.nodes.headers);
    const { status } = await client.post('/api/v1/tags', { query: { tenantId }, body: { name, type: 'Permission' } });
    if (status === 201) this.created.push(name);
    return status === 201;
  }

  /** Faults, when the tenant has tags of these names. */
  faults(stored: readonly string[]): string[] {
    const names = new Set(stored);
    return [
      ...this.created.filter((name) => !names.has(name)).map((name) => `tag ${name} was acknowledged and is lost`),
      ...repeatedIn(stored).map((name) => `tag ${name} is there twice`),
    ];
  }
}
