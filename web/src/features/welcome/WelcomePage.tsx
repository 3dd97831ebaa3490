import { useQuery } from '@tanstack/react-query';
import { ArrowRight, Check, ShieldCheck } from 'lucide';
import { type ReactNode, useEffect, useState } from 'react';

import { sessionQuery, useSession } from '../../access/session.js';
import { queryClient } from '../../api/queries.js';
import { Banner } from '../../ui/banner/Banner.js';
import { Button } from '../../ui/button/Button.js';
import { classes } from '../../ui/classes.js';
import { CopyField } from '../../ui/copy/CopyField.js';
import { StoredForm } from '../../ui/edit/StoredForm.js';
import { TextField } from '../../ui/field/Field.js';
import { FormActions } from '../../ui/form/FormActions.js';
import { Icon } from '../../ui/icon/Icon.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import { Page } from '../../ui/page/Page.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { devicesQuery } from '../../api/devices/device-list.js';
import { type Invited, InviteForm } from '../../parts/users/InviteForm.js';
import { RefusedPermissions } from '../../parts/users/RefusedPermissions.js';
import { OWN_TENANT_NAME, type TenantField } from '../../parts/tenants/tenant-name.js';
import { keepProgress, progressQuery } from './queries.js';
import { AT_THE_START, nextStep, type Progress, type Step, withStep } from './steps.js';
import { t } from './texts.js';
import { useSteps } from './useSteps.js';
import css from './WelcomePage.module.css';

/** While a first device is awaited, the service is asked this often. */
const INTERVAL_MS = 3000;

interface WelcomePageProps {
  /** Puts the agent on devices. */
  readonly deploy: ReactNode;
}

/** The first steps in a new tenant. Each can be skipped; open ones stand above the list of devices. */
export function WelcomePage({ deploy }: WelcomePageProps): ReactNode {
  const progress = useQuery(progressQuery);
  // Before it is known what is done, a finished step would open.
  const { isPending } = useSteps();
  // A user who was here is not led here again.
  const isFirst = progress.data === null;
  useEffect(() => {
    if (isFirst) void keepProgress(AT_THE_START);
  }, [isFirst]);
  if (progress.data !== undefined && !isPending) return <Steps progress={progress.data ?? AT_THE_START} deploy={deploy} />;
  return (
    <Page title={t('title')}>
      {progress.isError ? (
        // Steps from the start would replace those that are stored.
        <ErrorState error={progress.error} onRetry={() => void progress.refetch()} />
      ) : (
        <SkeletonList rows={4} columns={[1]} />
      )}
    </Page>
  );
}

function Steps({ progress, deploy }: WelcomePageProps & { readonly progress: Progress }): ReactNode {
  const { steps, doneIn } = useSteps();
  const done = doneIn(progress);
  const settled = [...done, ...progress.skipped];
  // A user who returns has come for the skipped steps.
  const [opened, setOpened] = useState<Step | null>(() => nextStep(steps, settled) ?? nextStep(steps, done));
  const settle = (step: Step, end: 'done' | 'skipped'): void => {
    void keepProgress(withStep(progress, step, end));
    setOpened(nextStep(steps, [...settled, step]));
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
      <p className="muted">{isOver ? t('over') : t(steps.includes('device') ? 'intro' : 'intro-without-device')}</p>
      <ol className={css.steps}>
        {steps.map((step, index) => (
          <li key={step} className={classes(css.step, step === opened && css.current, done.includes(step) && css.settled)}>
            <h2>
              <button
                type="button"
                className={css.head}
                aria-expanded={step === opened}
                onClick={() => setOpened(step === opened ? null : step)}
              >
                <span className={css.number}>{done.includes(step) ? <Icon of={Check} label={t('done')} /> : index + 1}</span>
                <span className={css.title}>{t(`${step}-title`)}</span>
                {progress.skipped.includes(step) && !done.includes(step) && <span className="meta">{t('skipped')}</span>}
              </button>
            </h2>
            {step === opened && (
              <div className={css.body}>
                <p className="muted">{t(`${step}-text`)}</p>
                <StepBody step={step} deploy={deploy} onDone={() => settle(step, 'done')} onSkip={() => settle(step, 'skipped')} />
              </div>
            )}
          </li>
        ))}
      </ol>
    </Page>
  );
}

interface StepProps {
  readonly onDone: () => void;
  readonly onSkip: () => void;
}

function StepBody({ step, deploy, ...ends }: StepProps & WelcomePageProps & { readonly step: Step }): ReactNode {
  switch (step) {
    case 'tenant':
      return <NameTenant {...ends} />;
    case 'device':
      return <AddDevice deploy={deploy} {...ends} />;
    case 'security':
      return <SecureYourself {...ends} />;
    case 'colleague':
      return <InviteColleague {...ends} />;
  }
}

function NameTenant({ onDone, onSkip }: StepProps): ReactNode {
  const { tenant } = useSession();
  return (
    <StoredForm
      className={css.narrow}
      name={tenant.name ?? t('tenant-name')}
      of={OWN_TENANT_NAME}
      labelOf={() => t('tenant-name')}
      action={t('tenant-save')}
      onCancel={onSkip}
      cancel={t('skip')}
      // The session is being read again, with the new name.
      onSaved={() => void queryClient.refetchQueries(sessionQuery, { cancelRefetch: false }).then(onDone)}
    >
      {({ name }) => (
        <TextField<TenantField>
          name="name"
          label={t('tenant-name')}
          defaultValue={name}
          maxLength={100}
          required
          autoComplete="organization"
        />
      )}
    </StoredForm>
  );
}

function AddDevice({ deploy, onDone, onSkip }: StepProps & WelcomePageProps): ReactNode {
  const devices = useQuery({ ...devicesQuery({}, 0, 1), refetchInterval: INTERVAL_MS, staleTime: 0 });
  const count = devices.data?.totalItems ?? 0;
  return (
    <>
      {deploy}
      {count > 0 && <Banner look="ok">{t('device-there', { count })}</Banner>}
      <FormActions>
        <Button look={count > 0 ? 'primary' : 'plain'} onClick={count > 0 ? onDone : onSkip}>
          {count > 0 ? t('continue') : t('skip')}
        </Button>
      </FormActions>
    </>
  );
}

function SecureYourself({ onDone, onSkip }: StepProps): ReactNode {
  const { user } = useSession();
  const isSecured = user.hasPasskey || user.isTwoFactorEnabled;
  return (
    <>
      {isSecured && <Banner look="ok">{t('security-done')}</Banner>}
      <FormActions>
        <Button look={isSecured ? 'primary' : 'plain'} onClick={isSecured ? onDone : onSkip}>
          {isSecured ? t('continue') : t('skip')}
        </Button>
        <LinkButton to="/account/security" look={isSecured ? 'plain' : 'primary'} icon={ShieldCheck}>
          {t('security-open')}
        </LinkButton>
      </FormActions>
    </>
  );
}

function InviteColleague({ onDone, onSkip }: StepProps): ReactNode {
  const { server } = useSession();
  const [invited, setInvited] = useState<Invited | null>(null);
  if (invited === null) {
    return (
      <div className={css.narrow}>
        <InviteForm leave={t('skip')} onLeave={onSkip} onInvited={setInvited} />
      </div>
    );
  }
  return (
    <>
      <Banner look="ok">{t('colleague-invited', { address: invited.email })}</Banner>
      <RefusedPermissions of={invited} />
      <CopyField
        label={t('colleague-link')}
        value={invited.url}
        hint={t(server.isMailSent ? 'colleague-link-hint' : 'colleague-link-no-mail')}
      />
      <FormActions>
        <Button onClick={() => setInvited(null)}>{t('colleague-another')}</Button>
        <Button look="primary" onClick={onDone}>
          {t('continue')}
        </Button>
      </FormActions>
    </>
  );
}
