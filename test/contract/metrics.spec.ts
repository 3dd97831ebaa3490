import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly description?: string;
  readonly datasource: object;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig: { readonly defaults: { readonly unit?: string } };
  readonly targets: readonly { readonly refId: string; readonly expr: string; readonly legendFormat: string }[];
}

interface Dashboard {
  readonly uid: string;
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string; readonly query: string }[] };
  readonly panels: readonly Panel[];
}

const DASHBOARDS = ['fleet', 'service', 'database'];
/** Columns of a dashboard. */
const WIDTH = 24;
/** Ids of units in Grafana that the dashboards use. Grafana shows an unknown id as a text behind the figure. */
const UNITS = new Set(['short', 's', 'bytes', 'percentunit', 'reqps', 'ops']);
/** Variables of Grafana that the dashboards use. Grafana leaves an unknown one in the query, which Prometheus then refuses. */
const GRAFANA_VARIABLES = ['__rate_interval'];
/** Labels that Prometheus adds, or that a histogram has. */
const OTHER_LABELS = new Set(['le', 'instance']);

async function dashboardOf(name: string): Promise<Dashboard> {
  return JSON.parse(await readFile(`deploy/grafana/${name}.json`, 'utf8')) as Dashboard;
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

const LACK = ' (skipped: promtool is not installed; Debian has it in the package prometheus)';
const ANNOTATIONS_OF_LOST = {
  summary: 'A third of the devices of the last hour is not connected any more.',
  runbook: 'docs/operations.md, DevicesLost',
};
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

describe('metrics', () => {
  it('stand in docs/operations.md, all of them and no others', async () => {
    const made = await madeMetrics();
    expect(made.length).toBeGreaterThan(30);
    expect((await describedMetrics()).map(({ name }) => name).sort()).toEqual(made);
  });

  it.skipIf(!hasPromtool)(`of alerts are rules that Prometheus accepts${hasPromtool ? '' : LACK}`, () => {
    expect(execFileSync('promtool', ['check', 'rules', 'deploy/prometheus/alerts.yaml'], { encoding: 'utf8' })).toContain('SUCCESS');
  });

  it.skipIf(!hasPromtool).each([
    ['fire when a third of the devices of the last hour is not connected any more', ['100x20 60x60', '100x80', '100x20 40x60'], true],
    // The devices of each go to the others while it is replaced.
    [
      'do not fire after nodes were replaced one after the other',
      ['0x4 150x9 100x60', '150x4 0x4 150x4 100x60', '150x9 0x4 100x60'],
      false,
    ],
  ])(`of devices that are connected %s${hasPromtool ? '' : LACK}`, async (_, nodes, fires) => {
    const folder = await mkdtemp(join(tmpdir(), 'alerts-'));
    try {
      const series = nodes.map((values, node) => ({
        series: `devices_connected{state="online",instance="${node}"}`,
        values: values.replaceAll(/(\d+)x/g, '$1+0x'),
      }));
      const alert = { exp_labels: { severity: 'critical' }, exp_annotations: ANNOTATIONS_OF_LOST };
      const asked = { alertname: 'DevicesLost', eval_time: '45m', exp_alerts: fires ? [alert] : [] };
      const rules = join(process.cwd(), 'deploy/prometheus/alerts.yaml');
      const test = {
        rule_files: [rules],
        evaluation_interval: '1m',
        tests: [{ interval: '1m', input_series: series, alert_rule_test: [asked] }],
      };
      await writeFile(join(folder, 'test.yaml'), JSON.stringify(test));
      expect(spawnSync('promtool', ['test', 'rules', join(folder, 'test.yaml')], { encoding: 'utf8' })).toMatchObject({
        status: 0,
        stderr: '',
      });
    } finally {
      await rm(folder, { recursive: true });
    }
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

  it.each(DASHBOARDS)('of the dashboard %s exist', async (name) => {
    const dashboard = await dashboardOf(name);
    const known = new Set((await describedMetrics()).map((metric) => metric.name));
    const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(expressions.length).toBeGreaterThan(5);
    for (const expression of expressions) {
      expect([expression, metricsOf(expression).length]).not.toEqual([expression, 0]);
      expect([expression, metricsOf(expression).filter((metric) => !known.has(metric))]).toEqual([expression, []]);
    }
  });

  it.each(DASHBOARDS)('of the dashboard %s have panels that Grafana reads, each with a title, a sentence and a unit', async (name) => {
    const { uid, templating, panels } = await dashboardOf(name);
    expect([uid, templating.list]).toEqual([
      `device-management-${name}`,
      [expect.objectContaining({ name: 'datasource', type: 'datasource', query: 'prometheus' })],
    ]);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { title, description, datasource, gridPos, fieldConfig, targets } of panels) {
      expect(title).toMatch(/^[A-Z]/);
      expect([title, description]).toEqual([title, expect.stringMatching(/^[A-Z].+\.$/)]);
      expect([title, datasource]).toEqual([title, { type: 'prometheus', uid: '${datasource}' }]);
      expect([title, UNITS.has(fieldConfig.defaults.unit ?? '')]).toEqual([title, true]);
      expect([title, gridPos.x + gridPos.w <= WIDTH]).toEqual([title, true]);
      expect([title, new Set(targets.map(({ refId }) => refId)).size]).toEqual([title, targets.length]);
    }
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });

  it.each(DASHBOARDS)('of the dashboard %s use only variables that it or Grafana has', async (name) => {
    const { templating, panels } = await dashboardOf(name);
    const known = new Set([...templating.list.map((variable) => variable.name), ...GRAFANA_VARIABLES]);
    const used = [...JSON.stringify(panels).matchAll(/\$\{?(\w+)|\[\[(\w+)\]\]/g)].map(([, plain, bracketed]) => plain ?? bracketed);
    expect(used).toContain('datasource');
    expect(used.filter((variable) => !known.has(variable))).toEqual([]);
  });

  it.each(DASHBOARDS)('of the dashboard %s are summed by labels that they have, and named by these', async (name) => {
    const labelsOf = new Map((await describedMetrics()).map((metric) => [metric.name, metric.labels]));
    for (const { expr, legendFormat } of (await dashboardOf(name)).panels.flatMap(({ targets }) => targets)) {
      const groups = [...expr.matchAll(/\bby \(([^)]*)\)/g)].map(([, list]) => list.split(', '));
      for (const metric of metricsOf(expr)) {
        const known = new Set([...(labelsOf.get(metric) ?? []), ...OTHER_LABELS]);
        expect([expr, groups.flat().filter((label) => !known.has(label))]).toEqual([expr, []]);
      }
      const kept = new Set(groups.length === 0 ? ['instance'] : groups.flat());
      const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label);
      expect([expr, named.filter((label) => !kept.has(label))]).toEqual([expr, []]);
      const missing = groups.flat().filter((label) => label !== 'le' && !named.includes(label));
      expect([expr, missing]).toEqual([expr, []]);
    }
  });

  it.skipIf(!hasPromtool)(`of dashboards are asked for in a form that Prometheus reads${hasPromtool ? '' : LACK}`, async () => {
    const dashboards = await Promise.all(DASHBOARDS.map(dashboardOf));
    const expressions = dashboards.flatMap(({ panels }) => panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)));
    const rules = expressions.map((expr, index) => ({ record: `panel:${index}`, expr: expr.replaceAll('$__rate_interval', '5m') }));
    const folder = await mkdtemp(join(tmpdir(), 'rules-'));
    try {
      // JSON is YAML.
      await writeFile(join(folder, 'panels.yaml'), JSON.stringify({ groups: [{ name: 'panels', rules }] }));
      const said = execFileSync('promtool', ['check', 'rules', join(folder, 'panels.yaml')], { encoding: 'utf8' });
      expect(said).toContain(`SUCCESS: ${rules.length} rules found`);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
