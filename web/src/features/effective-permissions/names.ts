import type { Schemas } from '../../api/client.js';
import { type Scope, scopeKey } from '../../model/permissions/scopes.js';
import { useScopeNames } from '../../parts/permissions/scopes.js';
import { t } from './texts.js';

/** Names that come with an answer of the service, as far as the caller may read them. */
interface AnswerNames {
  readonly groups?: readonly Schemas['HoldingGroupDto'][] | null;
  readonly scopes?: readonly Schemas['ScopeNameDto'][] | null;
}

/** Display names of scopes: the one that is asked about, and those of an answer. */
export function useNames(asked: Scope, answer: AnswerNames | undefined): (scope: Scope) => string {
  const nameOf = useScopeNames([asked]);
  return (scope) => {
    const key = scopeKey(scope);
    const named = answer?.scopes?.find(({ scopeKind, scopeId }) => scopeKey({ kind: scopeKind, id: scopeId }) === key);
    return named?.name ?? nameOf(scope);
  };
}

/** Display name of a user group of an answer. */
export const groupName = (id: string, answer: AnswerNames | undefined): string =>
  answer?.groups?.find((group) => group.id === id)?.name ?? t('unnamed-group');
