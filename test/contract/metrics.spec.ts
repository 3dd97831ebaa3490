import { execFileSync, spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { describedMetrics } from './described-metrics.js';

const INSTRUMENT =
  /create(?<kind>Counter|UpDownCounter|Histogram|ObservableGauge|ObservableCounter|ObservableUpDownCounter)\(\s*'(?<name>[a-z_.]+)',\s*\{\s*unit: '(?<unit>[^']+)'/g;
const ENDS: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes' };
/** Names in an expression that are no metrics: functions, words of the language, labels and values are left out by their place. */
const NAME = /\b[a-z]+(?:_[a-z]+)+\b(?=[[{ )]|$)/g;
const FUNCTIONS = new Set(['histogram_quantile', 'max_over_time', 'predict_linear']);

/** A rule of `deploy/prometheus/alerts.yaml`, whose texts stand in one line each. */
const RULE =
  /- alert: (?<alert>\w+)\n +expr: '(?<expr>.+)'\n +for: \w+\n +labels:\n +severity: \w+\n +annotations:\n +summary: (?<summary>.+)/g;

interface Dashboard {
  readonly title: string;
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

/** The names under which Prometheus reads the instruments that the sources make. */
async function madeMetrics(): Promise<string[]> {
  const names: string[] = [];
  for (const folder of ['src', 'libs/signalr/src']) {
    for (const file of await readdir(folder, { recursive: true })) {
      if (!file.endsWith('.ts')) continue;
      for (const { groups } of (await readFile(join(folder, file), 'utf8')).matchAll(INSTRUMENT)) {
        const { kind = '', name = '', unit = '' } = groups ?? {};
        names.push(`${name.replaceAll('.', '_')}${ENDS[unit] ?? ''}${/^(Observable)?Counter$/.test(kind) ? '_total' : ''}`);
      }
    }
  }
  return [...new Set(names)].sort();
}

/** The metrics that an expression of Prometheus names, without the suffixes of histograms, labels and grouping. */
function metricsOf(expression: string): string[] {
  const bare = expression
    .replaceAll(/\{[^}]*\}/g, '{}')
    .replaceAll(/\bby \([^)]*\)/g, '')
    .replaceAll(/\$\w+/g, '1m');
  return [...bare.matchAll(NAME)]
    .map(([name]) => name)
    .filter((name) => !FUNCTIONS.has(name))
    .map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));
}

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

describe('metrics', () => {
  it('stand in docs/operations.md, all of them and no others', async () => {
    const made = await madeMetrics();
    expect(made.length).toBeGreaterThan(30);
    expect((await describedMetrics()).map(({ name }) => name).sort()).toEqual(made);
  });

  it.skipIf(!hasPromtool)(`of alerts are rules that Prometheus accepts${hasPromtool ? '' : ' (promtool is not installed)'}`, () => {
    expect(execFileSync('promtool', ['check', 'rules', 'deploy/prometheus/alerts.yaml'], { encoding: 'utf8' })).toContain('SUCCESS');
  });

  it('of alerts exist, and each alert has a sentence and a line that says what to do', async () => {
    const text = await readFile('deploy/prometheus/alerts.yaml', 'utf8');
    const rules = [...text.matchAll(RULE)].map(({ groups: { alert = '', expr = '', summary = '' } = {} }) => ({ alert, expr, summary }));
    const known = new Set((await describedMetrics()).map(({ name }) => name));
    const operations = await readFile('docs/operations.md', 'utf8');
    expect(rules.length).toBe(text.split('- alert:').length - 1);
    for (const { alert, expr, summary } of rules) {
      if (alert !== 'ServiceDown') expect([alert, metricsOf(expr).length]).not.toEqual([alert, 0]);
      expect([alert, metricsOf(expr).filter((name) => !known.has(name))]).toEqual([alert, []]);
      expect(summary).toMatch(/^[A-Z].+\.$/);
      expect(operations).toMatch(new RegExp(`^\\| \`${alert}\` +\\|`, 'm'));
    }
  });

  it.each(['fleet', 'service', 'database'])('of the dashboard %s exist', async (name) => {
    const dashboard = JSON.parse(await readFile(`deploy/grafana/${name}.json`, 'utf8')) as Dashboard;
    const known = new Set((await describedMetrics()).map((metric) => metric.name));
    const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(expressions.length).toBeGreaterThan(5);
    for (const expression of expressions) {
      expect([expression, metricsOf(expression).length]).not.toEqual([expression, 0]);
      expect([expression, metricsOf(expression).filter((metric) => !known.has(metric))]).toEqual([expression, []]);
    }
  });
});
