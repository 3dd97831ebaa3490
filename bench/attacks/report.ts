import { circumstances } from '../harness/report.js';
import { REPORTING_DEVICES, REPORTS_PER_SECOND, ROUNDS, type AttackResult } from './attack.js';

/** How many times as long as in quiet the reports may take while an attack runs. */
const MOST = 10;

/** Whether every report got through an attack, and the slowest per cent in time. */
export function isHeld({ quietP99, attackedP99, failedReports }: AttackResult): boolean {
  return failedReports === 0 && attackedP99 <= MOST * quietP99;
}

/** The results in Markdown: where and when they were measured, and one row per attack. */
export async function attackReportOf(results: readonly AttackResult[], started: Date): Promise<string> {
  return `Written by \`npm run bench -- attacks\`. ${REPORTING_DEVICES} devices report, ${REPORTS_PER_SECOND} times a second all together, while an attack runs and while none does,
in turns; the 99th percentile of a report, from when it was due to its answer, is the mean of ${ROUNDS} rounds. It may rise to ${MOST} times
that of the quiet. Attackers, devices, service and database share the machine.

${await circumstances(started)}

| Attack | Quiet p99 | p99 under attack | Ratio | The attacker was told | Verdict |
| ------ | --------- | ---------------- | ----- | --------------------- | ------- |
${results.map(row).join('\n')}
`;
}

function row(result: AttackResult): string {
  const { title, quietP99, attackedP99, failedReports, told } = result;
  const amount = (value: number): string => value.toLocaleString('en-US');
  const cells = [
    title,
    `${quietP99.toFixed(1)} ms`,
    `${attackedP99.toFixed(1)} ms${failedReports === 0 ? '' : `, ${amount(failedReports)} reports failed`}`,
    `${(attackedP99 / quietP99).toFixed(1)}×`,
    `${amount(told.answered)} answers, ${amount(told.refused)} times busy, ${amount(told.failed)} times cut off`,
    isHeld(result) ? 'held' : '**not held**',
  ];
  return `| ${cells.join(' | ')} |`;
}
