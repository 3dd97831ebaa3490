import type { ReactNode } from 'react';

import type { HealthFinding, HealthReport, HealthSeverity } from '../../api/system/server-health.js';
import { CopyButton } from '../../ui/copy/CopyButton.js';
import frame from '../../ui/frames/Panel.module.css';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { Status } from '../../ui/status/Status.js';
import { PartHead } from '../../ui/part-list/PartList.js';
import { type AreaFindings, byArea, countOf } from './report.js';
import css from './ServerHealth.module.css';
import { t } from './texts.js';

const LOOKS = { Ok: 'online', Skipped: 'offline', Warning: 'warning', Failure: 'error' } as const;

interface ReportProps {
  readonly report: HealthReport;
  readonly button: ReactNode;
  /** Says that the server is being examined. */
  readonly running: ReactNode;
}

/** A report on the health of the server, the worst first. */
export function Report({ report: { findings, at, release, node }, button, running }: ReportProps): ReactNode {
  return (
    <>
      <PartHead>
        <div className={css.summary}>
          <Summary of={findings} />
          <span className="muted">
            <RelativeTime at={at} /> · {t('release', { release })}
            {node !== null && <> · {t('examined-at', { node })}</>}
          </span>
          {running}
        </div>
        {button}
      </PartHead>
      {byArea(findings).map((part) => (
        <Part key={part.area} of={part} />
      ))}
    </>
  );
}

function Summary({ of: findings }: { readonly of: readonly HealthFinding[] }): ReactNode {
  const failures = countOf(findings, 'Failure');
  const warnings = countOf(findings, 'Warning');
  if (failures + warnings === 0) return <Status look="online">{t('faults-none')}</Status>;
  return (
    <>
      {failures > 0 && <Status look="error">{t('failures', { count: failures })}</Status>}
      {warnings > 0 && <Status look="warning">{t('warnings', { count: warnings })}</Status>}
    </>
  );
}

function Part({ of: { area, findings } }: { readonly of: AreaFindings }): ReactNode {
  const name = `health-${area}`;
  return (
    <section className={frame.panel} aria-labelledby={name}>
      <h2 id={name}>{t(`area-${area}`)}</h2>
      <ul className={css.findings}>
        {findings.map((finding, at) => (
          <Finding key={at} of={finding} />
        ))}
      </ul>
    </section>
  );
}

function Finding({ of: { severity, what, why, remedy, docs } }: { readonly of: HealthFinding }): ReactNode {
  return (
    <li className={css.finding}>
      <State of={severity} />
      <div className={css.words}>
        <p>{withoutMarks(what)}</p>
        {why !== null && <p className="muted">{why}</p>}
        {remedy !== null && <p>{withoutMarks(remedy)}</p>}
        {docs !== null && (
          <p className={`muted ${css.docs}`}>
            {t('docs', { place: docs })}
            <CopyButton text={docs} label={t('docs-copy', { place: docs })} />
          </p>
        )}
      </div>
    </li>
  );
}

const State = ({ of: severity }: { readonly of: HealthSeverity }): ReactNode => (
  <Status look={LOOKS[severity]}>{t(`severity-${severity}`)}</Status>
);

/** A sentence of the server without the marks around code. */
const withoutMarks = (text: string): string => text.replaceAll('`', '');
