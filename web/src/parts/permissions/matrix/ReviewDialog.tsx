import { useMutation, useQuery } from '@tanstack/react-query';
import { Check } from 'lucide';
import type { ReactNode } from 'react';

import { withPermissionNames } from '../../../problem/missing.js';
import { problemOf } from '../../../problem/problem.js';
import { Banner } from '../../../ui/banner/Banner.js';
import { Button } from '../../../ui/button/Button.js';
import { useFailureAfterClose, useStillOpen } from '../../../ui/dialog/after-close.js';
import { Dialog } from '../../../ui/dialog/Dialog.js';
import { Form } from '../../../ui/form/Form.js';
import { FormActions } from '../../../ui/form/FormActions.js';
import { Icon } from '../../../ui/icon/Icon.js';
import { describeProblem } from '../../../ui/problem-text.js';
import { toast } from '../../../ui/toast/toasts.js';
import { useCan } from '../../../access/can.js';
import { userGroupQuery } from '../../../api/people/user-groups.js';
import { assignmentsChanged, type Principal } from '../../../api/access/permission-assignments.js';
import { useSession } from '../../../access/session.js';
import { t } from '../texts.js';
import css from './AccessMatrix.module.css';
import type { Names } from './names.js';
import { type Step, stepKey } from './plan.js';
import { save, SaveError } from './save.js';
import type { Outvoted } from './standing.js';

interface ReviewDialogProps {
  readonly open: boolean;
  readonly principal: Principal;
  readonly plan: readonly Step[];
  readonly names: Names;
  /** The steps that take administrative rights away. */
  readonly protectedSteps: readonly Step[];
  readonly outvoted: readonly Outvoted[];
  readonly onClose: () => void;
}

/** Steps of a save, as sentences, with warnings before them. If it fails in the middle: the saved steps and those that still wait. */
export function ReviewDialog({ open, onClose, ...review }: ReviewDialogProps): ReactNode {
  const { principal, plan } = review;
  const tellAfterClose = useFailureAfterClose(useStillOpen(open));
  const saving = useMutation({
    mutationFn: (planned: readonly Step[]) => save(principal, planned),
    onSuccess: () => void toast(t('saved')),
    onError: (error) => tellAfterClose(error instanceof SaveError ? error.failure : error),
    // Also after a failure in the middle: saved steps must not be done again.
    onSettled: assignmentsChanged,
  });
  const close = (): void => {
    // A save that is still under way must not be sent a second time.
    if (!saving.isPending) saving.reset();
    onClose();
  };
  return (
    <Dialog open={open} onClose={close} title={t('review-title', { count: plan.length })}>
      {open && (
        <Review
          {...review}
          busy={saving.isPending}
          error={saving.error}
          onSave={() => saving.mutate(plan, { onSuccess: onClose })}
          onClose={close}
        />
      )}
    </Dialog>
  );
}

type ReviewProps = Omit<ReviewDialogProps, 'open'> & {
  readonly busy: boolean;
  readonly error: unknown;
  readonly onSave: () => void;
};

function Review({ principal, plan, names, protectedSteps, outvoted, busy, error, onSave, onClose }: ReviewProps): ReactNode {
  const failure = error instanceof SaveError ? error : null;
  const takesOwn = useIsOwn(principal);
  const own = new Set(takesOwn ? protectedSteps.map(stepKey) : []);
  return (
    <Form onSubmit={onSave}>
      {failure !== null && <Failed failure={failure} names={names} />}
      <ul className={css.sentences} aria-label={t('to-save')}>
        {plan.map((step) => {
          const key = stepKey(step);
          const reason = failure?.reasons.get(key);
          return (
            <li key={key}>
              {sentenceOf(step, names)}
              {own.has(key) && <p className={css.warning}>{t('own-right')}</p>}
              {reason !== undefined && (
                <p className={css.refused}>{withPermissionNames(reason, (name) => `“${names.permissionName(name)}”`)}</p>
              )}
            </li>
          );
        })}
      </ul>
      {outvoted.length > 0 && (
        <Banner look="warn">
          {outvoted.map(({ allow, deny }) => (
            <p key={`${stepKey(allow)} ${allow.groupId}`}>
              {t(deny.groupId === null ? 'outvoted' : 'outvoted-by-group', {
                permission: names.permissionName(allow.permission),
                scope: names.scopeName(allow.scope),
                broader: names.scopeName(deny.scope),
                group: names.groupName(deny.groupId ?? ''),
              })}
            </p>
          ))}
        </Banner>
      )}
      <FormActions>
        <Button onClick={onClose}>{t('back')}</Button>
        <Button type="submit" look="primary" busy={busy} disabled={plan.length === 0}>
          {t('save')}
        </Button>
      </FormActions>
    </Form>
  );
}

/** Steps that a failed save has done. */
function Failed({ failure, names }: { readonly failure: SaveError; readonly names: Names }): ReactNode {
  const { saved, reasons } = failure;
  return (
    <>
      <Banner look="bad">
        {reasons.size === 0 && <p>{describeProblem(problemOf(failure.failure))}</p>}
        <p>{saved.length === 0 ? t('nothing-saved') : t('partly-saved', { count: saved.length })}</p>
      </Banner>
      {saved.length > 0 && (
        <ul className={css.sentences} aria-label={t('is-saved')}>
          {saved.map((step) => (
            <li key={stepKey(step)} className="row muted">
              <Icon of={Check} />
              {sentenceOf(step, names)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** True if a change to this principal changes the caller's own rights: it is the caller, or a group that the caller is in. */
function useIsOwn({ kind, id }: Principal): boolean {
  const self = useSession().user.id;
  const isAsked = useCan('tenant.user-groups.read') && kind === 'UserGroup';
  const group = useQuery({ ...userGroupQuery(id), enabled: isAsked });
  if (kind === 'User') return id === self;
  return isAsked && group.data?.members?.some(({ userId }) => userId === self) === true;
}

/** One step in words. */
function sentenceOf({ act, effect, permission, scope, slot, wasEnabled }: Step, { permissionName, scopeName }: Names): string {
  const values = { permission: permissionName(permission), scope: scopeName(scope) };
  if (slot === null) return wasEnabled ? t(`delete-${effect}`, values) : t(`delete-disabled-${effect}`, values);
  const sentence = act === 'create' && !slot.isEnabled ? t(`create-disabled-${effect}`, values) : t(`${act}-${effect}`, values);
  return slot.notes === null ? sentence : [sentence, t('with-note-sentence', { note: slot.notes })].join(' ');
}
