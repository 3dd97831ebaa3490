import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';

import { useSession } from '../../../access/session.js';
import { grantableQuery } from '../../../api/access/held-permissions.js';
import type { Schemas } from '../../../api/client.js';
import { SERVER } from '../../../parts/permissions/matrix/columns.js';
import type { Changes, Contents } from '../../../parts/permissions/matrix/contents.js';
import { MatrixEditor } from '../../../parts/permissions/matrix/MatrixEditor.js';
import type { Grant } from '../../../parts/permissions/matrix/standing.js';
import { SkeletonList } from '../../../ui/skeleton/Skeleton.js';
import { EmptyState } from '../../../ui/states/EmptyState.js';
import { ErrorState } from '../../../ui/states/ErrorState.js';
import { t } from '../texts.js';
import { holdsAt, offeredPermissions } from './new-token.js';
import css from './NewTokenForm.module.css';

interface TokenMatrixProps {
  readonly chosen: Changes;
  readonly onChosen: (chosen: Changes) => void;
}

/** Chooses permissions of a token among those that its owner holds. */
export function TokenMatrix({ chosen, onChosen }: TokenMatrixProps): ReactNode {
  const grantable = useQuery(grantableQuery);
  return (
    <section className={css.permissions} aria-label={t('token-rights')}>
      {grantable.data !== undefined ? (
        <Choice {...{ chosen, onChosen }} {...grantable.data} />
      ) : grantable.isError ? (
        <ErrorState error={grantable.error} onRetry={() => void grantable.refetch()} />
      ) : (
        <SkeletonList columns={[3, 1]} />
      )}
    </section>
  );
}

const WITH_SERVER = [SERVER];
/** A new token has nothing yet, and is in no groups. */
const NO_CONTENTS: Contents = new Map();
const NO_GRANTS: ReadonlyMap<string, readonly Grant[]> = new Map();

function Choice({ chosen, onChosen, catalog, presets }: TokenMatrixProps & Schemas['GrantablePermissionsResponseDto']): ReactNode {
  const session = useSession();
  const [text, setText] = useState('');
  const offered = useMemo(() => offeredPermissions(catalog ?? [], session), [catalog, session]);
  const hasServer = offered.some(({ allowedScopeKinds }) => !allowedScopeKinds.includes('Tenant'));
  if (offered.length === 0) return <EmptyState title={t('token-no-rights')} />;
  const selected = new Set([...chosen.values()].map(({ permission }) => permission)).size;
  return (
    <MatrixEditor
      isPlain
      isOfServer={false}
      {...{ text, offered }}
      onText={setText}
      catalog={catalog ?? []}
      presets={presets}
      held={[]}
      scopes={[]}
      firstScopes={hasServer ? WITH_SERVER : undefined}
      stored={NO_CONTENTS}
      changes={chosen}
      onChanges={onChosen}
      brought={NO_GRANTS}
      groupName={(id) => id}
      rights={{ mayChange: (cell) => holdsAt(session, cell), mayChangeAny: true, mayDeny: false, mayServer: false }}
      headline={<p className="muted">{t('token-selected', { count: selected, total: offered.length })}</p>}
    />
  );
}
