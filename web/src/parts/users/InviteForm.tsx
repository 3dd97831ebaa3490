import { Send } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useSession } from '../../access/session.js';
import { useCan } from '../../access/can.js';
import { PresetChoice } from '../permissions/PresetChoice.js';
import { ProblemError } from '../../problem/problem.js';
import { queryClient } from '../../api/queries.js';
import { Button } from '../../ui/button/Button.js';
import { useSend } from '../../ui/dialog/use-send.js';
import { TextField } from '../../ui/field/Field.js';
import type { Schemas } from '../../model/schemas.js';
import { Form } from '../../ui/form/Form.js';
import { FormActions } from '../../ui/form/FormActions.js';
import { type ActHeaders, newAct } from '../../api/act.js';
import { applyPresets } from '../../api/access/permission-assignments.js';
import { invite as sendInvite } from '../../api/people/invites.js';
import { usersQuery } from '../../api/people/users.js';
import { t } from './texts.js';

const DAY = 86_400_000;

type Field = keyof Schemas['CreateInviteRequestDto'];

/** An invitation that was made. */
export interface Invited {
  readonly email: string;
  /** The address at which the invited person sets a password. It cannot be read again. */
  readonly url: string;
  /** Time until which it can be accepted. */
  readonly expiresAt: Date;
  /** Error that kept the chosen permissions from being assigned; null if they were assigned, or if there were none. */
  readonly refusal: unknown;
}

interface InviteFormProps {
  /** The word on the button that leaves the form. */
  readonly leave: string;
  readonly onLeave: () => void;
  /** Follows the invitation, even if the form was left before. */
  readonly onInvited: (invited: Invited) => void;
  /** Leaves the form after an invitation. */
  readonly onFinished?: () => void;
}

/** Invites a user by e-mail, with the permissions of presets. */
export function InviteForm({ leave, onLeave, onInvited, onFinished }: InviteFormProps): ReactNode {
  const { server } = useSession();
  const mayReadPresets = useCan('tenant.permissions.read');
  const mayAssign = useCan('tenant.permissions.write');
  const [presets, setPresets] = useState<ReadonlySet<string>>(new Set());
  const { send, isSending, error } = useSend(async (inviteeEmail: string) => {
    const act = newAct();
    const url = await sendInvite(inviteeEmail, act);
    // The invitation stands, even if the permissions are refused.
    const refusal = await assign(inviteeEmail, [...presets], act).then(
      () => null,
      (reason: unknown) => reason,
    );
    onInvited({ email: inviteeEmail, url, expiresAt: new Date(Date.now() + server.invitationDays * DAY), refusal });
  }, onFinished);
  return (
    <Form<Field> error={error} onSubmit={({ inviteeEmail = '' }) => send(inviteeEmail)}>
      <TextField<Field>
        name="inviteeEmail"
        type="email"
        label={t('email')}
        hint={server.isMailSent ? undefined : t('invite-no-mail')}
        maxLength={256}
        required
        autoFocus
        autoComplete="off"
      />
      {mayReadPresets && mayAssign && <PresetChoice chosen={presets} onChange={setPresets} />}
      <FormActions>
        <Button onClick={onLeave}>{leave}</Button>
        <Button type="submit" look="primary" icon={Send} busy={isSending}>
          {t('invite')}
        </Button>
      </FormActions>
    </Form>
  );
}

/** Gives the account of an invited person the permissions of presets. The answer to an invitation does not name the account. */
async function assign(inviteeEmail: string, presetNames: string[], act: ActHeaders): Promise<void> {
  if (presetNames.length === 0) return;
  const users = await queryClient.fetchQuery({ ...usersQuery, staleTime: 0 });
  const account = users.find(({ email }) => email?.toLowerCase() === inviteeEmail.trim().toLowerCase());
  if (account === undefined) throw new ProblemError(404, { detail: t('invited-not-found') });
  await applyPresets({ kind: 'User', id: account.id }, presetNames, act);
}
