import { EnumName, namesOf } from '../../platform/http/binding/enum-fields.js';
import { Instant, ListOf, Nested, Text } from '../../platform/http/binding/fields.js';
import { Area, Severity } from './finding.js';

const SEVERITY = namesOf('HealthSeverity', Severity, {
  Ok: 'it is well',
  Skipped: 'it was not checked, or there is nothing to check',
  Warning: 'it works, but should be changed',
  Failure: 'it does not work',
});

const AREA = namesOf('HealthArea', Area, {
  Configuration: 'options of the service',
  Database: 'database and clock',
  DataFolder: 'data folder and backups',
  Address: 'public address and its certificate',
  Proxy: 'proxy before the service',
  Mail: 'mail server',
  Agents: 'agents that the server offers, and keys of devices',
  Providers: 'OpenID Connect providers',
  Forwarding: 'receivers of logs',
  Nodes: 'other nodes, and NATS between them',
});

class HealthFindingDto {
  @EnumName('The part that it is about.', AREA) area: Area;
  @Text('Name of the fault; null for what is well and for what was skipped.', { nullable: true, example: 'certificate-expires' })
  kind: string | null;
  @EnumName('Its severity.', SEVERITY) severity: Severity;
  @Text('The state.', { example: 'The certificate of devices.contoso.example ends on 2026-12-04, in 7 days.' }) what: string;
  @Text('The consequence of the fault; null where there is none.', { nullable: true, example: 'After its end browsers warn.' })
  why: string | null;
  @Text('The remedy; null where there is no fault.', { nullable: true, example: 'Renew the certificate.' }) remedy: string | null;
  @Text('The place in the documents that describes the fault; null where there is none.', {
    nullable: true,
    example: 'docs/operations.md#doctor-certificate-expires',
  })
  docs: string | null;
}

class HealthReportDto {
  @Text('Release of the service that made the report.', { example: '1.4.0' }) release: string;
  @Text('Address of the node that made the report; null where there is one node only.', { nullable: true, example: '10.0.0.7:8091' })
  node: string | null;
  @Instant('Time of the report.') at: Date;
  @EnumName('The worst severity of the findings.', SEVERITY) severity: Severity;
  @ListOf('All findings, those of one part together.', () => HealthFindingDto) findings: HealthFindingDto[];
}

export class ServerHealthResponseDto {
  @Nested('The last report; null if none was made since the start.', () => HealthReportDto, { nullable: true })
  report: HealthReportDto | null;
}
