import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';

import { Button } from '../../../ui/button/Button.js';
import { AskToLeave } from '../../../ui/leave/AskToLeave.js';
import { LinkButton } from '../../../ui/link-button/LinkButton.js';
import { useCan } from '../../../access/can.js';
import type { Schemas } from '../../../api/client.js';
import { type Assignment, type CatalogEntry, presetsQuery, type Principal } from '../../../api/access/permission-assignments.js';
import { type Cell, cellKey } from '../../../model/permissions/scopes.js';
import { t } from '../texts.js';
import css from './AccessMatrix.module.css';
import { type Changes, contentsOf, pendingOf } from './contents.js';
import { Headline } from './Headline.js';
import { MatrixEditor } from './MatrixEditor.js';
import { planOf } from './plan.js';
import { ReviewDialog } from './ReviewDialog.js';
import { broughtBy, grantsAfter, grantsOf, outvotedBy, protectedSteps, summaryOf } from './standing.js';

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

/** The matrix of a principal, its changes that are not saved yet, and their way to the service. */
export function Matrix(props: MatrixProps): ReactNode {
  const { principal, isOfServer, text, onText, catalog, assignments, groups, groupAssignments, scopes } = props;
  const mayWrite = useCan('tenant.permissions.write');
  const mayDeny = useCan('tenant.permissions.deny');
  const mayWriteServer = useCan('server.permissions.write');
  const presets = useQuery(presetsQuery);
  const [drafts, setDrafts] = useState<Changes>(new Map());
  const [isReviewing, setReviewing] = useState(false);

  const stored = useMemo(() => contentsOf(assignments), [assignments]);
  // Changes that a save has stored since are no changes any more, whatever another editor makes of their cells later.
  const changes = useMemo(() => pendingOf(drafts, stored), [drafts, stored]);
  if (changes.size < drafts.size) setDrafts(changes);
  const plan = useMemo(() => planOf(assignments, changes), [assignments, changes]);
  const brought = useMemo(() => broughtBy(groupAssignments), [groupAssignments]);
  const after = useMemo(() => grantsAfter(assignments, groupAssignments, changes), [assignments, groupAssignments, changes]);
  const held = useMemo(() => [...assignments, ...groupAssignments], [assignments, groupAssignments]);
  const groupName = (id: string): string => groups.find((group) => group.id === id)?.name ?? t('unnamed-group');

  const mayChange = (cell: Cell): boolean => {
    const mayWriteScope = isOfServer || cell.scope.kind === 'Server' ? mayWriteServer : mayWrite;
    return mayWriteScope && (mayDeny || (stored.get(cellKey(cell))?.Deny ?? null) === null);
  };

  return (
    <>
      <MatrixEditor
        {...{ isOfServer, text, onText, catalog, held, scopes, stored, changes, brought, groupName }}
        presets={presets.data ?? null}
        onChanges={setDrafts}
        rights={{ mayChange, mayChangeAny: mayWrite || mayWriteServer, mayDeny, mayServer: mayWriteServer }}
        headline={<Headline summary={summaryOf(catalog, grantsOf(held), isOfServer)} groupName={groupName} />}
        links={
          // The service answers no questions about accounts of the server.
          isOfServer ? null : (
            <LinkButton to="/effective-permissions" search={{ who: `${principal.kind}:${principal.id}` }}>
              {t('explain')}
            </LinkButton>
          )
        }
        below={(names) => (
          <>
            {plan.length > 0 && (
              <div className={css.bar} role="status">
                <span className="grow">{t('changes', { count: plan.length })}</span>
                <Button onClick={() => setDrafts(new Map())}>{t('discard')}</Button>
                <Button look="primary" onClick={() => setReviewing(true)}>
                  {t('review')}
                </Button>
              </div>
            )}
            <ReviewDialog
              open={isReviewing}
              onClose={() => setReviewing(false)}
              {...{ principal, plan, names }}
              protectedSteps={protectedSteps(plan, catalog)}
              outvoted={outvotedBy(plan, after)}
            />
          </>
        )}
      />
      <AskToLeave isChanged={() => plan.length > 0}>{t('changes', { count: plan.length })}</AskToLeave>
    </>
  );
}
