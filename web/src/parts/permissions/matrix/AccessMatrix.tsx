import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { heldQuery } from '../../../api/access/held-permissions.js';
import { catalogQuery, type Principal } from '../../../api/access/permission-assignments.js';
import { Banner } from '../../../ui/banner/Banner.js';
import { SkeletonList } from '../../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../../ui/states/ErrorState.js';
import { t } from '../texts.js';
import css from './AccessMatrix.module.css';
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
  const held = useQuery(heldQuery(principal));
  const failed = [catalog, held].find(({ data, isError }) => data === undefined && isError);
  return (
    <section className={css.section} aria-labelledby="access">
      <h2 id="access" className="visually-hidden">
        {t('access')}
      </h2>
      {catalog.data !== undefined && held.data !== undefined ? (
        <>
          {!held.data.isComplete && <Banner look="warn">{t('incomplete')}</Banner>}
          <Matrix
            principal={principal}
            isOfServer={isOfServer}
            text={text}
            onText={onText}
            catalog={catalog.data}
            assignments={held.data.assignments ?? []}
            groups={held.data.groups ?? []}
            groupAssignments={held.data.groupAssignments ?? []}
            scopes={held.data.scopes ?? []}
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
