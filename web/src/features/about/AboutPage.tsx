import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { useSession } from '../../access/session.js';
import { classes } from '../../ui/classes.js';
import frame from '../../ui/frames/Panel.module.css';
import { Page } from '../../ui/page/Page.js';
import { Property, PropertyList } from '../../ui/property-list/PropertyList.js';
import { Skeleton } from '../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import css from './AboutPage.module.css';
import { agentVersionQuery, releaseNotesQuery } from '../../api/system/about.js';
import en from '../../i18n/en/about.json' with { type: 'json' };
import { textsOf } from '../../i18n/t.js';

const t = textsOf('about', en);

/** Versions of the service and of these pages, their release notes and licence. */
export function AboutPage(): ReactNode {
  const { serverVersion } = useSession();
  const agent = useQuery(agentVersionQuery);
  return (
    <Page title={t('title')}>
      <section className={classes(frame.panel, css.panel)} aria-labelledby="about-versions">
        <h2 id="about-versions">{t('versions')}</h2>
        <PropertyList>
          <Property term={t('server')} mono copy={serverVersion}>
            {serverVersion}
          </Property>
          <Property term={t('agent')} mono={typeof agent.data === 'string'} copy={agent.data ?? undefined}>
            {agent.error !== null ? (
              t('agent-unknown')
            ) : agent.data === undefined ? (
              <Skeleton width={80} />
            ) : (
              (agent.data ?? t('agent-none'))
            )}
          </Property>
          <Property term={t('license')}>{t('license-mit')}</Property>
        </PropertyList>
        <p className="muted">{t('license-text')}</p>
      </section>
      <section className={classes(frame.panel, css.panel)} aria-labelledby="about-notes">
        <h2 id="about-notes">{t('notes')}</h2>
        <ReleaseNotes onRetry={() => void (agent.isError && agent.refetch())} />
      </section>
    </Page>
  );
}

interface ReleaseNotesProps {
  /** The notes are asked for again. */
  readonly onRetry: () => void;
}

function ReleaseNotes({ onRetry }: ReleaseNotesProps): ReactNode {
  const notes = useQuery(releaseNotesQuery);
  const retry = (): void => {
    void notes.refetch();
    onRetry();
  };
  if (notes.error !== null) return <ErrorState error={notes.error} onRetry={retry} />;
  if (notes.data === undefined) return <Skeleton height={80} />;
  if (notes.data === null) return <p className="muted">{t('notes-none')}</p>;
  return <div className={css.notes}>{notes.data}</div>;
}
