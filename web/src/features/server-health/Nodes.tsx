import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { type ServerNode, type ServerNodes, serverNodesQuery } from '../../api/system/server-nodes.js';
import { formatNumber } from '../../i18n/format.js';
import frame from '../../ui/frames/Panel.module.css';
import { PartHead } from '../../ui/part-list/PartList.js';
import { Property, PropertyList } from '../../ui/property-list/PropertyList.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { Status } from '../../ui/status/Status.js';
import css from './ServerHealth.module.css';
import { t } from './texts.js';

const LOOKS = { Running: 'online', Draining: 'warning', Overdue: 'error' } as const;

/** The processes of the service on this database, and NATS between them. */
export function Nodes(): ReactNode {
  const nodes = useQuery(serverNodesQuery);
  if (nodes.data === undefined)
    return nodes.error === null ? null : <ErrorState error={nodes.error} onRetry={() => void nodes.refetch()} />;
  const { nodes: list, nats } = nodes.data;
  return (
    <section className={frame.panel} aria-labelledby="nodes">
      <h2 id="nodes">{t('nodes')}</h2>
      <ul className={css.findings}>
        {list.map((node) => (
          <Node key={node.id} of={node} isAlone={nats === null} />
        ))}
      </ul>
      {nats !== null && <Nats of={nats} />}
    </section>
  );
}

interface NodeProps {
  readonly of: ServerNode;
  /** No other node is heard in an installation of one. */
  readonly isAlone: boolean;
}

function Node({ of: { id, isThis, address, state, release, connections, startedAt, reportedAt, heardAt }, isAlone }: NodeProps): ReactNode {
  return (
    <li className={css.node}>
      <PartHead>
        <span>
          <span className={css.name}>{id}</span>
          {isThis && <span className="muted"> · {t('node-this')}</span>}
        </span>
        <Status look={LOOKS[state]}>{t(`node-${state}`)}</Status>
      </PartHead>
      <PropertyList wide>
        <Property term={t('node-connections')}>{formatNumber(connections)}</Property>
        {address !== null && (
          <Property term={t('node-address')} mono>
            {address}
          </Property>
        )}
        <Property term={t('node-release')}>{release}</Property>
        <Property term={t('node-started')}>
          <RelativeTime at={startedAt} />
        </Property>
        <Property term={t('node-reported')}>
          <RelativeTime at={reportedAt} />
        </Property>
        {!isAlone && <Property term={t('node-heard')}>{heardAt === null ? t('node-unheard') : <RelativeTime at={heardAt} />}</Property>}
      </PropertyList>
    </li>
  );
}

function Nats({ of: nats }: { readonly of: NonNullable<ServerNodes['nats']> }): ReactNode {
  const { server, release, cluster, addresses, roundTripMs } = nats;
  return (
    <div className={css.node}>
      <PartHead>
        <h3>NATS</h3>
        <Status look={server === null ? 'error' : 'online'}>{t(server === null ? 'nats-away' : 'nats-reached')}</Status>
      </PartHead>
      {server !== null && (
        <PropertyList wide>
          <Property term={t('nats-server')} mono>
            {server}
          </Property>
          <Property term={t('node-release')}>{release}</Property>
          <Property term={t('nats-round-trip')}>
            {roundTripMs === null ? null : t('nats-milliseconds', { time: tenths(roundTripMs) })}
          </Property>
          <Property term={t('nats-cluster')}>{cluster ?? t('nats-alone')}</Property>
          {addresses.length > 0 && (
            <Property term={t('nats-addresses')} mono>
              {addresses.join(', ')}
            </Property>
          )}
        </PropertyList>
      )}
    </div>
  );
}

/** Tenths of a millisecond tell a near server from a far one. */
const tenths = (milliseconds: number): string => formatNumber(Math.round(milliseconds * 10) / 10);
