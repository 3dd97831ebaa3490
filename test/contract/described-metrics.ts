import { readFile } from 'node:fs/promises';

/** A metric of the table of `docs/operations.md`. */
export interface DescribedMetric {
  readonly name: string;
  readonly labels: readonly string[];
}

const ROW = /^\| `(?<name>[a-z_]+)` *\|(?<labels>[^|]*)\|/gm;

/** The metrics that `docs/operations.md` describes, under the names that Prometheus reads. */
export async function describedMetrics(): Promise<readonly DescribedMetric[]> {
  const text = await readFile('docs/operations.md', 'utf8');
  const [, table = ''] = /The test of metrics holds this table([\s\S]*?)deploy\/prometheus/.exec(text) ?? [];
  return [...table.matchAll(ROW)].map(({ groups }) => ({
    name: groups?.name ?? '',
    labels: [...(groups?.labels ?? '').matchAll(/`([a-z_]+)`/g)].map(([, label]) => label),
  }));
}
