import type { Finding } from '../harness/finding.js';
import { circumstances, tableOf } from '../harness/report.js';
import { type Beginning, loadNow } from '../web/report.js';

/** The results in Markdown: where and when they were measured, and one row per comparison. */
export async function telemetryReportOf(findings: readonly Finding[], begun: Beginning): Promise<string> {
  return `Written by \`npm run bench -- telemetry\`. Rows with pairs of slices: in one service telemetry is on in one of two slices of half a second and off
in the other, in a random order. The value is the share of the operations for one second of processor time that telemetry leaves; the bounds hold
with 95 %. Connections are noted in both. Rows with every trace, and those of an idle service: services with and without telemetry take turns,
each with a database of its own. A rate is the median of its rounds, the value the median of the ratios of all turns, and metrics are scraped once
a second; (1.02×) compares processor times. Traces are sent to a receiver on the same machine. Times in µs are processor time of the service for
one operation.

${await circumstances(begun.at)}
- Load of the machine when it began: ${begun.load.toFixed(1)}, when it ended: ${loadNow().toFixed(1)}; above 0.5 other programs were at work

${tableOf(findings, 'Telemetry on')}`;
}
