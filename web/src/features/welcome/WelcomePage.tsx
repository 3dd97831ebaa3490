import { useMutation, useQuery } from '@tanstack/react-query';
import { ArrowRight, Check, Send, ShieldCheck } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { useSession } from '../../access/session.js';
import { api, bodyOf } from '../../api/client.js';
import { changed } from '../../api/queries.js';
import { Banner } from '../../ui/banner/Banner.js';
import { Button } from '../../ui/button/Button.js';
import { classes } from '../../ui/classes.js';
import { CopyField } from '../../ui/copy/CopyField.js';
import { TextField } from '../../ui/field/Field.js';
import { Form, FormActions } from '../../ui/form/Form.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import { Page } from '../../ui/page/Page.js';
import { DeployPanel } from '../deploy/DeployPage.js';
import { devicesQuery } from '../devices/queries.js';
import { nextStep, readSettled, type Step, stepsFor, writeSettled } from './steps.js';
import { t } from './texts.js';
import css from './WelcomePage.module.css';

/** While a first device is awaited, the service is asked this often. */
const INTERVAL_MS = 3000;

/** The first steps in a new tenant. Each can be skipped, and what is settled is remembered in this browser. */
export function WelcomePage(): ReactNode {
  const { tenant } = useSession();
  const abilities = {
    mayNameTenant: useCan('server.tenants.write'),
    mayInstall: useCan('agent.install'),
    mayInvite: useCan('tenant.users.write'),
  };
  const steps = stepsFor(abilities);
  const [settled, setSettled] = useState(() => readSettled(tenant.id));
  const [opened, setOpened] = useState<Step | null>(() => nextStep(steps, settled));
  const settle = (step: Step): void => {
    const next = [...new Set([...settled, step])];
    setSettled(next);
    writeSettled(tenant.id, next);
    setOpened(nextStep(steps, next));
  };
  const isOver = nextStep(steps, settled) === null;
  return (
    <Page
      title={t('title')}
      actions={
        <LinkButton to="/devices" look={isOver ? 'primary' : 'plain'} icon={ArrowRight}>
          {t('to-devices')}
        </LinkButton>
      }
    >
      <p className="muted">{isOver ? t('over') : t('intro')}</p>
      <ol className={css.steps}>
        {steps.map((step, index) => (
          <li key={step} className={classes(css.step, step === opened && css.current, settled.includes(step) && css.settled)}>
            <h2>
              <button
                type="button"
                className={css.head}
                aria-expanded={step === opened}
                onClick={() => setOpened(step === opened ? null : step)}
              >
                <span className={css.number}>
                  {settled.includes(step) ? <Check size={16} strokeWidth={1.75} aria-label={t('settled')} /> : index + 1}
                </span>
                <span className={css.title}>{t(`${step}-title`)}</span>
              </button>
            </h2>
            {step === opened && (
              <div className={css.body}>
                <p className="muted">{t(`${step}-text`)}</p>
                <StepBody step={step} onSettled={() => settle(step)} />
              </div>
            )}
          </li>
        ))}
      </ol>
    </Page>
  );
}

interface StepProps {
  readonly onSettled: () => void;
}

function StepBody({ step, onSettled }: StepProps & { readonly step: Step }): ReactNode {
  switch (step) {
    case 'tenant':
      return <NameTenant onSettled={onSettled} />;
    case 'device':
      return <AddDevice onSettled={onSettled} />;
    case 'security':
      return <SecureYourself onSettled={onSettled} />;
    case 'colleague':
      return <InviteColleague onSettled={onSettled} />;
  }
}

function NameTenant({ onSettled }: StepProps): ReactNode {
  const { tenant } = useSession();
  const rename = useMutation({
    async mutationFn(name: string) {
      await api.PUT('/api/v1/tenants/{tenantId}', { params: { path: { tenantId: tenant.id } }, body: { name } });
      await changed('tenants', 'session');
      onSettled();
    },
  });
  return (
    <Form className={css.narrow} error={rename.error} onSubmit={({ name = '' }) => rename.mutate(name)}>
      <TextField
        name="name"
        label={t('tenant-name')}
        defaultValue={tenant.name ?? ''}
        maxLength={100}
        required
        autoComplete="organization"
      />
      <FormActions>
        <Button onClick={onSettled}>{t('skip')}</Button>
        <Button type="submit" look="primary" busy={rename.isPending}>
          {t('tenant-save')}
        </Button>
      </FormActions>
    </Form>
  );
}

function AddDevice({ onSettled }: StepProps): ReactNode {
  const devices = useQuery({ ...devicesQuery({}, 0, 1), refetchInterval: INTERVAL_MS, staleTime: 0 });
  const count = devices.data?.totalItems ?? 0;
  return (
    <>
      <DeployPanel />
      {count > 0 && <Banner look="ok">{t('device-there', { count })}</Banner>}
      <FormActions>
        <Button look={count > 0 ? 'primary' : 'plain'} onClick={onSettled}>
          {count > 0 ? t('continue') : t('skip')}
        </Button>
      </FormActions>
    </>
  );
}

function SecureYourself({ onSettled }: StepProps): ReactNode {
  const status = useQuery({
    queryKey: ['two-factor'],
    queryFn: ({ signal }) => bodyOf(api.GET('/account/two-factor', { signal })),
  });
  const passkeys = useQuery({
    queryKey: ['passkeys'],
    queryFn: async ({ signal }) => (await bodyOf(api.GET('/account/passkeys', { signal }))).items ?? [],
  });
  const isSecured = status.data?.isEnabled === true || (passkeys.data ?? []).length > 0;
  return (
    <>
      {isSecured && <Banner look="ok">{t('security-done')}</Banner>}
      <FormActions>
        <Button look={isSecured ? 'primary' : 'plain'} onClick={onSettled}>
          {isSecured ? t('continue') : t('skip')}
        </Button>
        <LinkButton to="/account/security" look={isSecured ? 'plain' : 'primary'} icon={ShieldCheck}>
          {t('security-open')}
        </LinkButton>
      </FormActions>
    </>
  );
}

function InviteColleague({ onSettled }: StepProps): ReactNode {
  const invite = useMutation({
    async mutationFn(inviteeEmail: string) {
      const made = await bodyOf(api.POST('/api/v1/invites', { body: { inviteeEmail } }));
      await changed('invites', 'users');
      return made;
    },
  });
  if (invite.data !== undefined) {
    return (
      <>
        <Banner look="ok">{t('colleague-invited', { address: invite.data.inviteeEmail })}</Banner>
        <CopyField label={t('colleague-link')} value={invite.data.inviteUrl} hint={t('colleague-link-hint')} />
        <FormActions>
          <Button onClick={() => invite.reset()}>{t('colleague-another')}</Button>
          <Button look="primary" onClick={onSettled}>
            {t('continue')}
          </Button>
        </FormActions>
      </>
    );
  }
  return (
    <Form className={css.narrow} error={invite.error} onSubmit={({ inviteeEmail = '' }) => invite.mutate(inviteeEmail)}>
      <TextField name="inviteeEmail" type="email" label={t('colleague-address')} maxLength={256} required autoComplete="off" />
      <FormActions>
        <Button onClick={onSettled}>{t('skip')}</Button>
        <Button type="submit" look="primary" icon={Send} busy={invite.isPending}>
          {t('colleague-invite')}
        </Button>
      </FormActions>
    </Form>
  );
}
