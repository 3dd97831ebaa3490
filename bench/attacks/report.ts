import { passwordCost } from '../harness/password-cost.js';
import { circumstances } from '../harness/report.js';
import { MOST_P99, REPORTING_DEVICES, REPORTS_PER_SECOND, ROUNDS, type AttackResult, type Quantiles } from './attack.js';

/** Returns true if every report or call got through an attack, and in time. */
export function isHeld({ quiet, attacked, failed, mostP50, mostP99 }: AttackResult): boolean {
  return failed === 0 && attacked.p99 <= mostP99 * quiet.p99 && attacked.p50 <= mostP50 * quiet.p50;
}

/** The results in Markdown: where and when they were measured, and one row per attack. */
export async function attackReportOf(results: readonly AttackResult[], started: Date): Promise<string> {
  return `Written by \`npm run bench -- attacks\`. ${REPORTING_DEVICES} devices send ${REPORTS_PER_SECOND} reports a second in all, in turns with and without an attack. The time of a
report runs from when it is due to its answer; p50 and p99 are means of ${ROUNDS} rounds. Under attack the p99 may be ${MOST_P99} times as long, unless
the row names another limit. A row that begins with … is about other users during the attack above it. Everything runs on one machine.
${passwordCost()}

${await circumstances(started)}

| Attack | Quiet p50, p99 | p50, p99 under attack | Ratios | The attacker was told | Verdict |
| ------ | -------------- | --------------------- | ------ | --------------------- | ------- |
${results.map(row).join('\n')}
`;
}

function row(result: AttackResult): string {
  const { title, quiet, attacked, failed, mostP50, mostP99, told } = result;
  const amount = (value: number): string => value.toLocaleString('en-US');
  const times = ({ p50, p99 }: Quantiles): string => `${p50.toFixed(1)} ms, ${p99.toFixed(1)} ms`;
  const limit = Number.isFinite(mostP50) ? ` (≤ ${mostP50}×)` : '';
  const strictLimit = mostP99 === MOST_P99 ? '' : ` (≤ ${mostP99}×)`;
  const cells = [
    title,
    times(quiet),
    `${times(attacked)}${failed === 0 ? '' : `, ${amount(failed)} failed`}`,
    `${(attacked.p50 / quiet.p50).toFixed(1)}×${limit}, ${(attacked.p99 / quiet.p99).toFixed(1)}×${strictLimit}`,
    `${amount(told.answered)} answers, ${amount(told.refused)} times busy, ${amount(told.failed)} times cut off`,
    isHeld(result) ? 'held' : '**not held**',
  ];
  return `| ${cells.join(' | ')} |`;
}
