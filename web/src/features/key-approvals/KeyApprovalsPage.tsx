import { useQuery } from '@tanstack/react-query';
import { Ban, Check } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { isOutdated, ProblemError } from '../../problem/problem.js';
import { Badge } from '../../ui/badge/Badge.js';
import { Button } from '../../ui/button/Button.js';
import { ActDialog } from '../../ui/confirm/ActDialog.js';
import { type Column, DataTable } from '../../ui/data-table/DataTable.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import { Page } from '../../ui/page/Page.js';
import { Property, PropertyList } from '../../ui/property-list/PropertyList.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { toast } from '../../ui/toast/toasts.js';
import { approvableQuery, approveKey, type KeyApproval, keyApprovalsQuery, refuseKey } from '../../api/devices/key-approvals.js';
import en from '../../i18n/en/key-approvals.json' with { type: 'json' };
import { permissionName } from '../../i18n/permission-names.js';
import { textsOf } from '../../i18n/t.js';

const t = textsOf('key-approvals', en);

/** The display name of the permission that decisions ask for. */
const APPROVING = permissionName('device.agent.update');

/** Decision about a key that the user is about to make. */
interface Decision {
  readonly act: 'approve' | 'refuse';
  readonly key: KeyApproval;
}

/** The devices that registered again with another key. Nothing reaches them until a user has compared and approved it. */
export function KeyApprovalsPage(): ReactNode {
  const keys = useQuery(keyApprovalsQuery);
  const approvable = useQuery(approvableQuery((keys.data ?? []).map(({ deviceId }) => deviceId)));
  const [decision, setDecision] = useState<Decision | null>(null);
  const mayDecide = (key: KeyApproval): boolean => approvable.data?.has(key.deviceId) === true;
  const columns: readonly Column<KeyApproval>[] = [
    { id: 'name', header: t('device'), cell: ({ name }) => name, sortBy: ({ name }) => name.toLowerCase() },
    {
      id: 'since',
      header: t('since'),
      cell: ({ pendingSince }) => (pendingSince === null ? '' : <RelativeTime at={pendingSince} />),
      sortBy: ({ pendingSince }) => pendingSince,
      phone: 'side',
    },
    { id: 'new', header: t('new-key'), cell: ({ fingerprint }) => <Fingerprint of={fingerprint} /> },
    { id: 'former', header: t('former-key'), cell: ({ formerFingerprint }) => <Fingerprint of={formerFingerprint} />, phone: 'hidden' },
    {
      id: 'approve',
      header: t('approve'),
      hideHeader: true,
      align: 'end',
      phone: 'hidden',
      cell: (key) =>
        mayDecide(key) ? (
          <Button icon={Check} aria-label={t('approve-name', { name: key.name })} onClick={() => setDecision({ act: 'approve', key })}>
            {t('approve')}
          </Button>
        ) : (
          <Badge>{t('not-yours', { permission: APPROVING })}</Badge>
        ),
    },
  ];
  return (
    <Page title={t('title')} count={keys.data?.length}>
      <p className="muted">{t('intro')}</p>
      <DataTable
        label={t('title')}
        rows={keys.data}
        rowKey={({ deviceId }) => deviceId}
        columns={columns}
        defaultSort="-since"
        rowLink={({ deviceId }) => ({ to: '/devices/$deviceId', params: { deviceId } })}
        rowName={({ name }) => name}
        rowMenu={(key) => [
          {
            label: t('approve'),
            icon: Check,
            disabled: !mayDecide(key),
            hint: mayDecide(key) ? undefined : t('not-yours-hint', { permission: APPROVING }),
            onSelect: () => setDecision({ act: 'approve', key }),
          },
          {
            label: t('refuse'),
            icon: Ban,
            danger: true,
            disabled: !mayDecide(key) || key.formerFingerprint === null,
            hint:
              key.formerFingerprint === null
                ? t('no-former-hint')
                : mayDecide(key)
                  ? undefined
                  : t('not-yours-hint', { permission: APPROVING }),
            onSelect: () => setDecision({ act: 'refuse', key }),
          },
        ]}
        // Without it every key would look like one for others to approve.
        error={keys.error ?? approvable.error}
        onRetry={() => void (keys.isError ? keys.refetch() : approvable.refetch())}
        empty={<Nothing />}
      />
      <DecisionDialog decision={decision} onClose={() => setDecision(null)} />
    </Page>
  );
}

function Nothing(): ReactNode {
  const mayReadSettings = useCan('tenant.settings.read');
  return (
    <EmptyState title={t('empty')} actions={mayReadSettings && <LinkButton to="/settings">{t('settings')}</LinkButton>}>
      {t('empty-text')}
    </EmptyState>
  );
}

function Fingerprint({ of }: { readonly of: string | null }): ReactNode {
  return of === null ? <span className="faint">{t('none')}</span> : <span className="mono">{of}</span>;
}

/** Says that the key is another one by now, where that is why it was not refused. */
async function refuse(key: KeyApproval): Promise<void> {
  try {
    await refuseKey(key);
  } catch (error) {
    throw isOutdated(error) ? new ProblemError(412, { detail: t('other-key') }) : error;
  }
}

interface DecisionDialogProps {
  readonly decision: Decision | null;
  readonly onClose: () => void;
}

/** Asks before a key is put in force or taken out of it. The decision is about the key that was shown, not one that came since. */
function DecisionDialog({ decision, onClose }: DecisionDialogProps): ReactNode {
  return (
    <ActDialog
      subject={decision}
      onClose={onClose}
      look={({ act }) => (act === 'refuse' ? 'danger' : 'primary')}
      title={({ act, key }) => t(`${act}-title`, { name: key.name })}
      text={({ act, key }) => (
        <>
          <p>{t(`${act}-text`)}</p>
          <PropertyList>
            <Property term={t('new-key')} mono>
              {key.fingerprint}
            </Property>
            <Property term={t('former-key')} mono>
              {key.formerFingerprint ?? t('none')}
            </Property>
          </PropertyList>
        </>
      )}
      action={({ act }) => t(act)}
      act={({ act, key }) => (act === 'approve' ? approveKey(key) : refuse(key))}
      onDone={({ act, key }) => toast(t(`${act}-done`, { name: key.name }))}
    />
  );
}
