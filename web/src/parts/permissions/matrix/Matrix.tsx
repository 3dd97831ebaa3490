import { type ReactNode, useMemo, useState } from 'react';

import { Button } from '../../../ui/button/Button.js';
import { Dialog } from '../../../ui/dialog/Dialog.js';
import { EmptyFiltered } from '../../../ui/states/EmptyFiltered.js';
import { useCan } from '../../../access/can.js';
import type { UserGroup } from '../../../api/people/user-groups.js';
import type { Assignment, CatalogEntry, Principal } from '../../../api/access/permission-assignments.js';
import { permissionName } from '../../../i18n/permission-names.js';
import { useScopeNames } from '../scopes.js';
import { useSession } from '../../../access/session.js';
import { t } from '../texts.js';
import css from './AccessMatrix.module.css';
import { AskToLeave } from './AskToLeave.js';
import { CellTools } from './CellTools.js';
import { type Changes, type Content, contentOf, contentsOf, pendingOf, withCells } from './contents.js';
import { Headline } from './Headline.js';
import { MatrixTable } from './table/MatrixTable.js';
import { MatrixTools } from './MatrixTools.js';
import { NoteDialog } from './NoteDialog.js';
import { planOf } from './plan.js';
import { PresetMenu } from './PresetMenu.js';
import { ReviewDialog } from './ReviewDialog.js';
import { type Cell, cellKey, columnsOf, type Scope, scopeOf } from '../../../model/permissions/scopes.js';
import { ScopePicker } from './ScopePicker.js';
import { categoriesOf, otherWords } from './search.js';
import { broughtBy, grantsAfter, grantsOf, outvotedBy, protectedSteps, summaryOf } from './standing.js';
import { linesOf, useSelection } from './table/useSelection.js';

interface MatrixProps {
  readonly principal: Principal;
  readonly isOfServer: boolean;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly catalog: readonly CatalogEntry[];
  readonly assignments: readonly Assignment[];
  /** The groups of the principal. */
  readonly groups: readonly Pick<UserGroup, 'id' | 'name'>[];
  readonly groupAssignments: readonly Assignment[];
}

/** The matrix with its tools, its changes that are not saved yet, and their way to the service. */
export function Matrix(props: MatrixProps): ReactNode {
  const { principal, isOfServer, text, onText, catalog, assignments, groups, groupAssignments } = props;
  const { tenant } = useSession();
  const mayWrite = useCan('tenant.permissions.write');
  const mayDeny = useCan('tenant.permissions.deny');
  const mayWriteServer = useCan('server.permissions.write');
  const mayWriteAny = mayWrite || mayWriteServer;
  const [added, setAdded] = useState<readonly Scope[]>([]);
  const [drafts, setDrafts] = useState<Changes>(new Map());
  const [isPicking, setPicking] = useState(false);
  const [isReviewing, setReviewing] = useState(false);
  const [noted, setNoted] = useState<Cell | null>(null);

  const stored = useMemo(() => contentsOf(assignments), [assignments]);
  // Changes that a save has stored since are no changes any more.
  const changes = useMemo(() => pendingOf(drafts, stored), [drafts, stored]);
  const plan = useMemo(() => planOf(assignments, changes), [assignments, changes]);
  const brought = useMemo(() => broughtBy(groupAssignments), [groupAssignments]);
  const after = useMemo(() => grantsAfter(assignments, groupAssignments, changes), [assignments, groupAssignments, changes]);
  const columns = useMemo(
    () =>
      columnsOf([
        ...(isOfServer ? [{ kind: 'Server', id: null } as const] : []),
        { kind: 'Tenant', id: tenant.id },
        ...added,
        ...[...changes.values()].map(({ scope }) => scope),
        ...[...assignments, ...groupAssignments].map(scopeOf),
      ]),
    [assignments, groupAssignments, isOfServer, tenant.id, added, changes],
  );
  const lines = useMemo(() => linesOf(categoriesOf(catalog, text, otherWords), columns, isOfServer), [catalog, text, columns, isOfServer]);
  const selection = useSelection(lines, columns);
  const scopeName = useScopeNames(columns);
  const groupName = (id: string): string => groups.find((group) => group.id === id)?.name ?? id;
  const names = { permissionName, scopeName, groupName };

  const mayChange = (cell: Cell): boolean => {
    const mayWriteScope = isOfServer || cell.scope.kind === 'Server' ? mayWriteServer : mayWrite;
    return mayWriteScope && (mayDeny || (stored.get(cellKey(cell))?.Deny ?? null) === null);
  };
  const change = (cells: readonly Cell[], set: (content: Content, before: Content) => Content): void =>
    setDrafts(withCells(changes, cells.filter(mayChange), set, stored));
  const contentAt = (cell: Cell): Content => contentOf(cellKey(cell), stored, changes);

  return (
    <>
      <Headline summary={summaryOf(catalog, grantsOf([...assignments, ...groupAssignments]), isOfServer)} groupName={groupName} />
      <MatrixTools
        {...{ principal, isOfServer, text, onText }}
        presets={
          mayWriteAny ? (
            <PresetMenu
              {...{ catalog, stored, changes, names }}
              onAdd={(cells, set) => change(cells, set)}
              mayChange={mayChange}
              tenantId={tenant.id}
            />
          ) : null
        }
        onAddScope={() => setPicking(true)}
      />
      {mayWriteAny && lines.length > 0 && (
        <CellTools
          cells={selection.cells}
          {...{ names, contentAt, mayChange, mayDeny }}
          onChange={(set) => change(selection.cells, set)}
          onNote={setNoted}
        />
      )}
      {lines.length === 0 ? (
        <EmptyFiltered onClear={() => onText('')} total={catalog.length} />
      ) : (
        <MatrixTable
          {...{ lines, columns, names, selection, changes, brought, contentAt, mayChange, mayDeny }}
          onChange={change}
          onNote={setNoted}
        />
      )}
      {plan.length > 0 && (
        <div className={css.bar} role="status">
          <span className="grow">{t('changes', { count: plan.length })}</span>
          <Button onClick={() => setDrafts(new Map())}>{t('discard')}</Button>
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
      <NoteDialog
        cell={noted}
        content={noted === null ? null : contentAt(noted)}
        names={names}
        onSet={(set) => noted !== null && change([noted], set)}
        onClose={() => setNoted(null)}
      />
      <ReviewDialog
        open={isReviewing}
        onClose={() => setReviewing(false)}
        {...{ principal, plan, names }}
        protectedSteps={protectedSteps(plan, catalog)}
        outvoted={outvotedBy(plan, after)}
      />
      <AskToLeave count={plan.length} />
    </>
  );
}
