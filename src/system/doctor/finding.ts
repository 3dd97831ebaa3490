import { FINDINGS, type FindingKind } from './finding-kinds.js';

/** Severity of a finding. */
export enum Severity {
  Ok = 'Ok',
  /** It could not be checked, or there is nothing to check. */
  Skipped = 'Skipped',
  Warning = 'Warning',
  Failure = 'Failure',
}

/** Part of an installation that findings are about. */
export enum Area {
  Configuration = 'Configuration',
  Database = 'Database',
  DataFolder = 'DataFolder',
  Address = 'Address',
  Proxy = 'Proxy',
  Mail = 'Mail',
  Agents = 'Agents',
  Providers = 'Providers',
  Forwarding = 'Forwarding',
  Nodes = 'Nodes',
}

/** A result of the doctor. */
export interface Finding {
  readonly area: Area;
  /** Null for what is well and for what was skipped. */
  readonly kind: FindingKind | null;
  readonly severity: Severity;
  /** The state, as a sentence. */
  readonly what: string;
  /** Consequence of the fault; null where there is none. */
  readonly why: string | null;
  /** Remedy; null where there is no fault. */
  readonly remedy: string | null;
  /** Place in the documents that describes the fault; null where there is none. */
  readonly docs: string | null;
}

/** Document that describes every kind of finding. */
export const FINDINGS_DOCUMENT = 'docs/operations.md';

/** Anchor of a kind of finding in that document. */
export const anchorOf = (kind: FindingKind): string => `doctor-${kind}`;

/** A fault. `what` is the state that shows it. */
export function fault(kind: FindingKind, what: string): Finding {
  const { area, severity, why, remedy } = FINDINGS[kind];
  return { area: Area[area], kind, severity: Severity[severity], what, why, remedy, docs: `${FINDINGS_DOCUMENT}#${anchorOf(kind)}` };
}

/** A part that is well. */
export function well(area: Area, what: string): Finding {
  return { area, kind: null, severity: Severity.Ok, what, why: null, remedy: null, docs: null };
}

/** A check that was left out, with the reason. */
export function skipped(area: Area, what: string): Finding {
  return { area, kind: null, severity: Severity.Skipped, what, why: null, remedy: null, docs: null };
}

/** The faults, or a sentence that all is well. */
export function faultsOr(faults: readonly Finding[], fine: Finding): readonly Finding[] {
  return faults.length > 0 ? faults : [fine];
}

/** The worst of several severities. */
export function worstOf(findings: readonly Finding[]): Severity.Ok | Severity.Warning | Severity.Failure {
  if (findings.some(({ severity }) => severity === Severity.Failure)) return Severity.Failure;
  return findings.some(({ severity }) => severity === Severity.Warning) ? Severity.Warning : Severity.Ok;
}
