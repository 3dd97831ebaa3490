import type { HealthArea, HealthFinding, HealthSeverity } from '../../api/system/server-health.js';

/** The findings of one part. */
export interface AreaFindings {
  readonly area: HealthArea;
  readonly severity: HealthSeverity;
  readonly findings: readonly HealthFinding[];
}

/** From the worst to the best: a part in which nothing was checked is not well. */
const ORDER: readonly HealthSeverity[] = ['Failure', 'Warning', 'Ok', 'Skipped'];

const rankOf = (severity: HealthSeverity): number => ORDER.indexOf(severity);

/** The findings by part: the parts with the worst first, and in each part the worst first. */
export function byArea(findings: readonly HealthFinding[]): readonly AreaFindings[] {
  const areas = [...new Set(findings.map(({ area }) => area))];
  return areas
    .map((area) => {
      const own = findings
        .filter((finding) => finding.area === area)
        .toSorted((one, other) => rankOf(one.severity) - rankOf(other.severity));
      return { area, severity: own[0]?.severity ?? 'Skipped', findings: own };
    })
    .toSorted((one, other) => rankOf(one.severity) - rankOf(other.severity));
}

/** Number of findings of a severity. */
export const countOf = (findings: readonly HealthFinding[], severity: HealthSeverity): number =>
  findings.filter((finding) => finding.severity === severity).length;
