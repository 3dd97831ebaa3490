import { useMutation, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';

import { api } from '../../api/client.js';
import { changed } from '../../api/queries.js';
import { Banner } from '../../ui/banner/Banner.js';
import { Button } from '../../ui/button/Button.js';
import { Dialog } from '../../ui/dialog/Dialog.js';
import { SearchField } from '../../ui/field/SearchField.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import { MenuButton } from '../../ui/menu/MenuButton.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { EmptyFiltered } from '../../ui/states/EmptyFiltered.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { toast } from '../../ui/toast/toasts.js';
import { useCan } from '../can.js';
import { type Assignment, assignmentsQuery, type CatalogEntry, catalogQuery, presetsQuery, type Principal } from '../permissions.js';
import { useScopeNames } from '../scopes.js';
import { useSession } from '../session.js';
import { t } from '../texts.js';
import css from './AccessMatrix.module.css';
import { MatrixTable } from './MatrixTable.js';
import { Review } from './Review.js';
import { categoriesOf, type Changes, columnsOf, type Plan, planOf, type Scope, storedStates, withPreset } from './rules.js';
import { ScopePicker } from './ScopePicker.js';

interface AccessMatrixProps {
  readonly principal: Principal;
  /** A service account of the server, which can hold everything server-wide. */
  readonly isOfServer?: boolean;
}

/** What a principal is allowed and denied, to see and to change. */
export function AccessMatrix({ principal, isOfServer = false }: AccessMatrixProps): ReactNode {
  const catalog = useQuery(catalogQuery);
  const assignments = useQuery(assignmentsQuery(principal));
  const failed = [catalog, assignments].find(({ data, isError }) => data === undefined && isError);
  return (
    <section className="stack" aria-labelledby="access">
      <h2 id="access">{t('access')}</h2>
      {catalog.data !== undefined && assignments.data !== undefined ? (
        <Matrix principal={principal} isOfServer={isOfServer} catalog={catalog.data} assignments={assignments.data} />
      ) : failed !== undefined ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : (
        <SkeletonList columns={[3, 1, 1]} />
      )}
    </section>
  );
}

/** Creates, then deletes, so that nothing is allowed in between that neither the old nor the new assignments allow. */
async function save({ kind, id }: Principal, plan: Plan): Promise<void> {
  try {
    if (plan.creates.length > 0) {
      const created = plan.creates.map(({ permission, scope, effect }) => ({
        principalKind: kind,
        principalId: id,
        permissionName: permission,
        effect,
        scopeKind: scope.kind,
        scopeId: scope.id,
      }));
      await api.POST('/api/v1/permission-assignments/batch', { body: { assignments: created } });
    }
    if (plan.deletes.length > 0) {
      const assignmentIds = plan.deletes.map((each) => each.id);
      await api.POST('/api/v1/permission-assignments/batch-delete', { body: { assignmentIds } });
    }
  } finally {
    // Also after a failure in the middle: what was created is no longer to be done.
    await changed('permission-assignments', 'effective-permissions', 'users', 'session');
  }
}

interface MatrixProps extends Required<AccessMatrixProps> {
  readonly catalog: readonly CatalogEntry[];
  readonly assignments: readonly Assignment[];
}

function Matrix({ principal, isOfServer, catalog, assignments }: MatrixProps): ReactNode {
  const { tenant } = useSession();
  const mayWrite = useCan('tenant.permissions.write');
  const mayDeny = useCan('tenant.permissions.deny');
  const mayWriteServer = useCan('server.permissions.write');
  const presets = useQuery(presetsQuery);
  const [text, setText] = useState('');
  const [added, setAdded] = useState<readonly Scope[]>([]);
  const [changes, setChanges] = useState<Changes>(new Map());
  const [isPicking, setPicking] = useState(false);
  const [isReviewing, setReviewing] = useState(false);

  const stored = useMemo(() => storedStates(assignments), [assignments]);
  const plan = useMemo(() => planOf(assignments, changes), [assignments, changes]);
  const columns = useMemo(
    () =>
      columnsOf(assignments, [
        ...(isOfServer ? [{ kind: 'Server', id: null } as const] : []),
        { kind: 'Tenant', id: tenant.id },
        ...added,
        ...[...changes.values()].map(({ scope }) => scope),
      ]),
    [assignments, isOfServer, tenant.id, added, changes],
  );
  const nameOf = useScopeNames(columns);
  const mayChange = (scope: Scope): boolean => (isOfServer || scope.kind === 'Server' ? mayWriteServer : mayWrite);
  const categories = categoriesOf(catalog, text);
  const count = plan.creates.length + plan.deletes.length;

  const saving = useMutation({
    mutationFn: (planned: Plan) => save(principal, planned),
    onSuccess() {
      setChanges(new Map());
      setReviewing(false);
      toast(t('saved'));
    },
  });

  // The creations went through and are stored: only the deletions are still to be done.
  const isPartlySaved = saving.isError && saving.variables.creates.length > 0 && plan.creates.length === 0;

  return (
    <>
      <div className={css.tools}>
        <SearchField label={t('search')} value={text} onSearch={setText} isMain={false} />
        {(mayWrite || mayWriteServer) && (
          <>
            <MenuButton
              label={t('add-preset')}
              entries={(presets.data ?? []).map((preset) => ({
                label: preset.name,
                onSelect: () => setChanges(withPreset(changes, preset, catalog, tenant.id, stored)),
              }))}
            />
            <Button icon={Plus} onClick={() => setPicking(true)}>
              {t('add-scope')}
            </Button>
          </>
        )}
        <LinkButton to="/effective-permissions" search={{ who: `${principal.kind}:${principal.id}` }}>
          {t('explain')}
        </LinkButton>
      </div>
      {categories.length === 0 ? (
        <EmptyFiltered onClear={() => setText('')} total={catalog.length} />
      ) : (
        <MatrixTable {...{ categories, columns, nameOf, stored, changes, isOfServer, mayChange, mayDeny }} onChange={setChanges} />
      )}
      {count > 0 && (
        <div className={css.bar} role="status">
          <span className="grow">{t('changes', { count })}</span>
          <Button onClick={() => setChanges(new Map())}>{t('discard')}</Button>
          <Button look="primary" onClick={() => setReviewing(true)}>
            {t('review')}
          </Button>
        </div>
      )}
      <Dialog open={isPicking} onClose={() => setPicking(false)} title={t('add-scope')} description={t('add-scope-text')}>
        {isPicking && (
          <ScopePicker
            mayServer={mayWriteServer}
            onPick={(scope) => {
              setAdded([...added, scope]);
              setPicking(false);
            }}
            onClose={() => setPicking(false)}
          />
        )}
      </Dialog>
      <Dialog
        open={isReviewing}
        onClose={() => {
          saving.reset();
          setReviewing(false);
        }}
        title={t('review-title', { count })}
      >
        {isReviewing && (
          <>
            {isPartlySaved && <Banner look="warn">{t('partly-saved')}</Banner>}
            <Review
              {...{ plan, catalog, nameOf }}
              busy={saving.isPending}
              error={saving.error}
              onSave={() => saving.mutate(plan)}
              onClose={() => setReviewing(false)}
            />
          </>
        )}
      </Dialog>
    </>
  );
}
