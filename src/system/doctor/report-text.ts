import type { DoctorReport } from './examination.js';
import { Area, Severity, type Finding } from './finding.js';

const AREAS: Readonly<Record<Area, string>> = {
  [Area.Configuration]: 'Configuration',
  [Area.Database]: 'Database',
  [Area.DataFolder]: 'Data folder',
  [Area.Address]: 'Public address',
  [Area.Proxy]: 'Proxy',
  [Area.Mail]: 'Mail',
  [Area.Agents]: 'Agents',
  [Area.Providers]: 'Sign-in with other providers',
  [Area.Forwarding]: 'Forwarding of logs',
  [Area.Nodes]: 'Nodes',
};

const MARKS: Readonly<Record<Severity, string>> = {
  [Severity.Ok]: 'ok     ',
  [Severity.Skipped]: 'skipped',
  [Severity.Warning]: 'WARNING',
  [Severity.Failure]: 'FAILURE',
};

/** Exit codes of the program by the worst severity. */
export const EXIT_CODES: Readonly<Record<DoctorReport['severity'], number>> = {
  [Severity.Ok]: 0,
  [Severity.Warning]: 1,
  [Severity.Failure]: 2,
};

/** A report for a terminal. */
export function reportText({ findings, release }: DoctorReport): string {
  const parts = Object.values(Area).flatMap((area) => {
    const own = findings.filter((finding) => finding.area === area);
    return own.length === 0 ? [] : [`${AREAS[area]}\n${own.map(linesOf).join('\n')}`];
  });
  return [...parts, `${conclusion(findings)} (release ${release})`].join('\n\n');
}

function linesOf({ severity, what, why, remedy, docs }: Finding): string {
  const details = [why, remedy, docs === null ? null : `See ${docs}`].filter((line) => line !== null);
  return [`  ${MARKS[severity]}  ${what}`, ...details.map((line) => `           ${line}`)].join('\n');
}

function conclusion(findings: readonly Finding[]): string {
  const count = (severity: Severity): number => findings.filter((finding) => finding.severity === severity).length;
  const failures = count(Severity.Failure);
  const warnings = count(Severity.Warning);
  if (failures + warnings === 0) return 'No faults found.';
  return `${failures} ${failures === 1 ? 'failure' : 'failures'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`;
}
