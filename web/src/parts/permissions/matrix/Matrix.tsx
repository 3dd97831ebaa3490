import { type ReactNode, useMemo, useState } from 'react';

import { Button } from '../../../ui/button/Button.js';
import { Dialog } from '../../../ui/dialog/Dialog.js';
import { EmptyFiltered } from '../../../ui/states/EmptyFiltered.js';
import { useCan } from '../../../access/can.js';
import type { Schemas } from '../../../api/client.js';
import type { Assignment, CatalogEntry, Principal } from '../../../api/access/permission-assignments.js';
import { permissionName } from '../../../i18n/permission-names.js';
import { useSession } from '../../../access/session.js';
import { t } from '../texts.js';
import css from './AccessMatrix.module.css';
import { AskToLeave } from './AskToLeave.js';
import { CellTools } from './CellTools.js';
import { type PickedScope, useColumns } from './columns.js';
import { type Changes, type Content, contentOf, contentsOf, pendingOf, withCells } from './contents.js';
import { Headline } from './Headline.js';
import { MatrixTable } from './table/MatrixTable.js';
import { MatrixTools } from './MatrixTools.js';
import { NoteDialog } from './NoteDialog.js';
import { planOf } from './plan.js';
import { PresetMenu } from './PresetMenu.js';
import { ReviewDialog } from './ReviewDialog.js';
import { type Cell, cellKey } from '../../../model/permissions/scopes.js';
import { ScopePicker } from './ScopePicker.js';
import { categoriesOf, namedIn, otherWords } from './search.js';
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
  readonly groups: readonly Schemas['HoldingGroupDto'][];
  readonly groupAssignments: readonly Assignment[];
  /** Names of the scopes of all these assignments. */
  readonly scopes: readonly Schemas['ScopeNameDto'][];
}

/** The matrix with its tools, its changes that are not saved yet, and their way to the service. */
export function Matrix(props: MatrixProps): ReactNode {
  const { principal, isOfServer, text, onText, catalog, assignments, groups, groupAssignments, scopes } = props;
  const { tenant } = useSession();
  const mayWrite = useCan('tenant.permissions.write');
  const mayDeny = useCan('tenant.permissions.deny');
  const mayWriteServer = useCan('server.permissions.write');
  const mayWriteAny = mayWrite || mayWriteServer;
  const [picked, setPicked] = useState<readonly PickedScope[]>([]);
  const [showsAll, setShowsAll] = useState(assignments.length + groupAssignments.length === 0);
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
  const held = useMemo(() => [...assignments, ...groupAssignments], [assignments, groupAssignments]);
  const { columns, scopeName } = useColumns({ isOfServer, assignments: held, scopes, picked, changes });
  const granted = useMemo(() => namedIn(catalog, held, changes), [catalog, held, changes]);
  // A search looks at all permissions. The first ones of a principal are chosen out of all.
  const isNarrowed = !showsAll && text === '' && granted.length > 0;
  const lines = useMemo(
    () => linesOf(categoriesOf(isNarrowed ? granted : catalog, text, otherWords), columns, isOfServer),
    [isNarrowed, granted, catalog, text, columns, isOfServer],
  );
  const selection = useSelection(lines, columns);
  const groupName = (id: string): string => groups.find((group) => group.id === id)?.name ?? t('unnamed-group');
  const names = { permissionName, scopeName, groupName };

  const mayChange = (cell: Cell): boolean => {
    const mayWriteScope = isOfServer || cell.scope.kind === 'Server' ? mayWriteServer : mayWrite;
    return mayWriteScope && (mayDeny || (stored.get(cellKey(cell))?.Deny ?? null) === null);
  };
  const change = (cells: readonly Cell[], set: (content: Content, before: Content) => Content): void =>
    setDrafts(withCells(changes, cells.filter(mayChange), set, stored));
  const contentAt = (cell: Cell): Content => contentOf(cellKey(cell), stored, changes);

  const hasTools = mayWriteAny && lines.length > 0;
  const headline = <Headline summary={summaryOf(catalog, grantsOf(held), isOfServer)} groupName={groupName} />;

  return (
    <>
      {!hasTools && headline}
      <MatrixTools
        {...{ principal, isOfServer, text, onText }}
        granted={
          granted.length > 0 && text === '' ? { count: granted.length, isOnly: isNarrowed, onOnly: (isOnly) => setShowsAll(!isOnly) } : null
        }
        presets={
          mayWriteAny ? (
            <PresetMenu
              {...{ catalog, stored, changes, names }}
              onAdd={(cells, set, scope) => {
                if (scope !== null) setPicked([...picked, scope]);
                change(cells, set);
              }}
              mayChange={mayChange}
              tenantId={tenant.id}
            />
          ) : null
        }
        onAddScope={() => setPicking(true)}
      />
      {hasTools && (
        <CellTools
          headline={headline}
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
              setPicked([...picked, scope]);
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
