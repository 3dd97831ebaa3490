import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { changed } from '../../../api/queries.js';
import { SkeletonList } from '../../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../../ui/states/ErrorState.js';
import { useAssignmentsOf, useGroupsOf } from '../../../access/groups.js';
import { assignmentsQuery, catalogQuery, type Principal } from '../../../api/access/permission-assignments.js';
import { t } from '../texts.js';
import { Matrix } from './Matrix.js';

interface AccessMatrixProps {
  readonly principal: Principal;
  /** A service account of the server, which can hold everything server-wide. */
  readonly isOfServer?: boolean;
  /** Text that the permissions are searched by. */
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** Allowed and denied permissions of a principal, to see and to change. Needs `tenant.permissions.read`. */
export function AccessMatrix({ principal, isOfServer = false, text, onText }: AccessMatrixProps): ReactNode {
  const catalog = useQuery(catalogQuery);
  const assignments = useQuery(assignmentsQuery(principal));
  const { groups, error: groupsError } = useGroupsOf(principal);
  const { assignments: groupAssignments, error: heldError } = useAssignmentsOf(groups.map(({ id }) => ({ kind: 'UserGroup', id })));
  const groupsProblem = groupsError ?? heldError;
  const failed = [catalog, assignments].find(({ data, isError }) => data === undefined && isError);
  return (
    <section className="stack" aria-labelledby="access">
      <h2 id="access">{t('access')}</h2>
      {catalog.data !== undefined && assignments.data !== undefined ? (
        <>
          {/* Assignments of the groups count as well: without them the matrix shows less than there is. */}
          {groupsProblem !== null && (
            <ErrorState error={groupsProblem} onRetry={() => void changed('user-groups', 'permission-assignments')} />
          )}
          <Matrix
            principal={principal}
            isOfServer={isOfServer}
            text={text}
            onText={onText}
            catalog={catalog.data}
            assignments={assignments.data}
            groups={groups}
            groupAssignments={groupAssignments}
          />
        </>
      ) : failed !== undefined ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : (
        <SkeletonList columns={[3, 1, 1]} />
      )}
    </section>
  );
}
