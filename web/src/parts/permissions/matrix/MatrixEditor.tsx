import { type ReactNode, useMemo, useState } from 'react';

import type { Assignment, CatalogEntry, Preset } from '../../../api/access/permission-assignments.js';
import type { Schemas } from '../../../api/client.js';
import { useSession } from '../../../access/session.js';
import { permissionName } from '../../../i18n/permission-names.js';
import { type Cell, cellKey } from '../../../model/permissions/scopes.js';
import { Dialog } from '../../../ui/dialog/Dialog.js';
import { EmptyFiltered } from '../../../ui/states/EmptyFiltered.js';
import { t } from '../texts.js';
import { CellTools } from './CellTools.js';
import { type PickedScope, useColumns } from './columns.js';
import { type Changes, type Content, contentOf, type Contents, withCells } from './contents.js';
import { MatrixTable } from './table/MatrixTable.js';
import { MatrixTools } from './MatrixTools.js';
import type { Names } from './names.js';
import { NoteDialog } from './NoteDialog.js';
import { PresetMenu } from './PresetMenu.js';
import { ScopePicker } from './ScopePicker.js';
import { categoriesOf, namedIn, otherWords } from './search.js';
import type { Grant } from './standing.js';
import { linesOf, useSelection } from './table/useSelection.js';

/** Rights of the user on the matrix. */
interface MatrixRights {
  readonly mayChange: (cell: Cell) => boolean;
  /** True if the user may change some cells. */
  readonly mayChangeAny: boolean;
  readonly mayDeny: boolean;
  /** True if the server can be picked as a scope. */
  readonly mayServer: boolean;
}

interface MatrixEditorProps {
  readonly isOfServer: boolean;
  /** True where a cell is allowed or not, without notes and without a disabled state, and nothing is stored before. */
  readonly isPlain?: boolean;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Every permission. */
  readonly catalog: readonly CatalogEntry[];
  /** The permissions that have a row. */
  readonly offered?: readonly CatalogEntry[];
  /** Null while they are not known. */
  readonly presets: readonly Preset[] | null;
  /** Assignments of the principal and of its groups. */
  readonly held: readonly Assignment[];
  /** Names of the scopes of all these assignments. */
  readonly scopes: readonly Schemas['ScopeNameDto'][];
  /** Scopes that have a column from the start. */
  readonly firstScopes?: readonly PickedScope[];
  readonly stored: Contents;
  readonly changes: Changes;
  readonly onChanges: (changes: Changes) => void;
  /** Grants of groups, by cell. */
  readonly brought: ReadonlyMap<string, readonly Grant[]>;
  readonly groupName: (groupId: string) => string;
  readonly rights: MatrixRights;
  readonly headline: ReactNode;
  /** Links beside the tools. */
  readonly links?: ReactNode;
  /** The content below the table. */
  readonly below?: (names: Names) => ReactNode;
}

const NONE: readonly PickedScope[] = [];
const UNCHANGED: Changes = new Map();

/** The table of permissions with its tools. Its owner keeps the changes, and says which the user may make. */
export function MatrixEditor(props: MatrixEditorProps): ReactNode {
  const { isOfServer, isPlain = false, text, onText, catalog, offered = catalog, presets, held, scopes, firstScopes = NONE } = props;
  const { stored, changes, onChanges, brought, groupName, rights, headline, links, below } = props;
  const { mayChange, mayChangeAny, mayDeny, mayServer } = rights;
  const { tenant } = useSession();
  const [picked, setPicked] = useState(firstScopes);
  const [showsAll, setShowsAll] = useState(held.length === 0);
  const [isPicking, setPicking] = useState(false);
  const [noted, setNoted] = useState<Cell | null>(null);

  const { columns, scopeName } = useColumns({ isOfServer, assignments: held, scopes, picked, changes });
  const granted = useMemo(() => namedIn(offered, held, changes), [offered, held, changes]);
  // A search looks at all permissions. The first ones of a principal are chosen out of all.
  const isNarrowed = !showsAll && text === '' && granted.length > 0;
  const lines = useMemo(
    () => linesOf(categoriesOf(isNarrowed ? granted : offered, text, otherWords), columns, isOfServer),
    [isNarrowed, granted, offered, text, columns, isOfServer],
  );
  const selection = useSelection(lines, columns);
  const names = { permissionName, scopeName, groupName };
  const change = (cells: readonly Cell[], set: (content: Content, before: Content) => Content): void =>
    onChanges(withCells(changes, cells.filter(mayChange), set, stored));
  const contentAt = (cell: Cell): Content => contentOf(cellKey(cell), stored, changes);
  const hasTools = mayChangeAny && lines.length > 0;

  return (
    <>
      {!hasTools && headline}
      <MatrixTools
        {...{ text, onText, links }}
        granted={
          granted.length > 0 && text === ''
            ? {
                label: t(isPlain ? 'selected-only' : 'granted-only', { count: granted.length }),
                isOnly: isNarrowed,
                onOnly: (isOnly) => setShowsAll(!isOnly),
              }
            : null
        }
        presets={
          mayChangeAny ? (
            <PresetMenu
              {...{ presets, catalog, stored, changes, names, mayChange }}
              action={t(isPlain ? 'preset-select' : 'preset-add')}
              onAdd={(cells, set, scope) => {
                if (scope !== null) setPicked([...picked, scope]);
                change(cells, set);
              }}
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
          onNote={isPlain ? null : setNoted}
        />
      )}
      {lines.length === 0 ? (
        <EmptyFiltered onClear={() => onText('')} total={offered.length} />
      ) : (
        <MatrixTable
          {...{ lines, columns, names, selection, brought, contentAt, mayChange, mayDeny }}
          // Where nothing is stored before, every content is a change.
          changes={isPlain ? UNCHANGED : changes}
          onChange={change}
          onNote={isPlain ? null : setNoted}
        />
      )}
      {below?.(names)}
      <Dialog open={isPicking} onClose={() => setPicking(false)} title={t('add-scope')} description={t('add-scope-text')}>
        {isPicking && (
          <ScopePicker
            mayServer={mayServer}
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
    </>
  );
}
