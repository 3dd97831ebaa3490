import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useSearch } from '@tanstack/react-router';
import { KeyRound } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { useSession } from '../../access/session.js';
import { Banner } from '../../ui/banner/Banner.js';
import { Button } from '../../ui/button/Button.js';
import { ToggleChip } from '../../ui/chip/Chip.js';
import { CopyTextButton } from '../../ui/copy/CopyButton.js';
import { CopyField } from '../../ui/copy/CopyField.js';
import { TextField } from '../../ui/field/Field.js';
import { Form } from '../../ui/form/Form.js';
import { FormActions } from '../../ui/form/FormActions.js';
import frame from '../../ui/frames/Panel.module.css';
import { Page } from '../../ui/page/Page.js';
import { QrCode } from '../../ui/qr-code/QrCode.js';
import { RadioGroup } from '../../ui/radio-group/RadioGroup.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { createKey, type NewKey } from '../installer-keys/queries.js';
import { Arrivals } from './Arrivals.js';
import { type DeployChoice, KEY_ID_PATTERN, keyIdOf } from './deploy-choice.js';
import type { DeployKey } from './deploy-key.js';
import css from './DeployPage.module.css';
import { commandFor, ownPlatform, platformName, takesInstance } from './install-command.js';
import { type DeployOptions, Options } from './Options.js';
import { deploymentOptionsQuery } from './queries.js';
import { t } from './texts.js';

const route = getRouteApi('/_app/deploy');

/** Puts the agent on devices: a key, a platform, one command, and the device turns green. */
export function DeployPage(): ReactNode {
  const choice = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title={t('title')}>
      <DeployPanel choice={choice} onChoose={(next) => void navigate({ search: (now) => ({ ...now, ...next }), replace: true })} />
    </Page>
  );
}

interface DeployPanelProps {
  readonly choice: DeployChoice;
  /** Gets what is chosen otherwise. */
  readonly onChoose: (change: DeployChoice) => void;
}

/** The same as a part of another page, which keeps the choice. */
export function DeployPanel({ choice, onChoose }: DeployPanelProps): ReactNode {
  const { customer } = useSearch({ strict: false });
  const [key, setKey] = useState<DeployKey | null>(null);
  const [chosen, setChosen] = useState<DeployOptions>({ tagIds: [], instanceId: '', customerId: customer ?? null });
  const wanted = useQuery({ ...deploymentOptionsQuery, enabled: useCan('agent.install') });
  // What the tenant wants counts until somebody types something else.
  const [isTyped, setTyped] = useState(false);
  const preset = wanted.data?.appendInstanceId === true ? (wanted.data.instanceId ?? '') : '';
  const options = isTyped ? chosen : { ...chosen, instanceId: preset };
  return (
    <div className={css.columns}>
      <section className={frame.panel} aria-labelledby="deploy-key">
        <h2 id="deploy-key">{t('key-title')}</h2>
        <KeyForm
          storedId={keyIdOf(choice)}
          current={key}
          onKey={(next) => {
            setKey(next);
            onChoose({ key: next?.id });
          }}
        />
      </section>
      <section className={frame.panel} aria-labelledby="deploy-command">
        <h2 id="deploy-command">{t('command-title')}</h2>
        {wanted.isError && wanted.data === undefined ? (
          // A command without what the tenant wants would install another agent than it wants.
          <ErrorState error={wanted.error} onRetry={() => void wanted.refetch()} />
        ) : key === null ? (
          <p className="muted">{t('key-first')}</p>
        ) : (
          <>
            <div className={css.options}>
              <Options
                options={options}
                onChange={(next) => {
                  if (next.instanceId !== options.instanceId) setTyped(true);
                  setChosen(next);
                }}
              />
            </div>
            <Command deployKey={key} options={options} platform={choice.os} onPlatform={(os) => onChoose({ os })} />
          </>
        )}
      </section>
    </div>
  );
}

type KeyType = NewKey['keyType'];
const HOUR_MS = 3_600_000;

interface KeyFormProps {
  /** The id of a stored key that is to be used. */
  readonly storedId: string | undefined;
  readonly current: DeployKey | null;
  /** Gets the key for the command; null when another one is wanted. */
  readonly onKey: (key: DeployKey | null) => void;
}

function KeyForm({ storedId, current, onKey }: KeyFormProps): ReactNode {
  const { tenant } = useSession();
  const mayCreate = useCan('installer-key.write');
  const [mode, setMode] = useState<'new' | 'known'>(mayCreate && storedId === undefined ? 'new' : 'known');
  const [type, setType] = useState<KeyType>('UsageBased');
  const create = useMutation({
    async mutationFn(values: Readonly<Record<string, string>>) {
      const { id, keySecret } = await createKey(newKeyOf(type, values), values.friendlyName ?? '', tenant.id);
      onKey({ id, secret: keySecret, isNew: true });
    },
  });
  if (current?.isNew === true && mode === 'new') {
    return (
      <>
        <Banner look="ok">{t('key-made')}</Banner>
        <CopyField label={t('key-id')} value={current.id} />
        <CopyField label={t('key-secret')} value={current.secret} hint={t('key-secret-hint')} />
        <FormActions>
          <Button
            onClick={() => {
              create.reset();
              onKey(null);
            }}
          >
            {t('key-another')}
          </Button>
        </FormActions>
      </>
    );
  }
  return (
    <>
      {mayCreate && (
        <div className={css.platforms}>
          <ToggleChip pressed={mode === 'new'} onClick={() => setMode('new')}>
            {t('key-new')}
          </ToggleChip>
          <ToggleChip pressed={mode === 'known'} onClick={() => setMode('known')}>
            {t('key-known')}
          </ToggleChip>
        </div>
      )}
      {mode === 'new' ? (
        <Form error={create.error} onSubmit={(values) => create.mutate(values)}>
          <RadioGroup
            name="keyType"
            label={t('key-type')}
            value={type}
            onValueChange={setType}
            options={[
              { value: 'UsageBased', label: t('type-uses'), hint: t('type-uses-hint') },
              { value: 'TimeBased', label: t('type-time'), hint: t('type-time-hint') },
              { value: 'Persistent', label: t('type-persistent'), hint: t('type-persistent-hint') },
            ]}
          />
          {type === 'UsageBased' && (
            <TextField name="allowedUses" label={t('uses')} type="number" min={1} max={1_000_000} defaultValue="1" required />
          )}
          {type === 'TimeBased' && (
            <TextField name="hours" label={t('hours')} type="number" min={1} max={8760} defaultValue="24" required />
          )}
          <TextField name="friendlyName" label={t('key-name')} hint={t('key-name-hint')} maxLength={100} autoComplete="off" />
          <FormActions>
            <Button type="submit" look="primary" icon={KeyRound} busy={create.isPending}>
              {t('key-create')}
            </Button>
          </FormActions>
        </Form>
      ) : (
        <Form
          onSubmit={({ keyId = '', keySecret = '' }) => {
            onKey({ id: keyId.trim(), secret: keySecret.trim(), isNew: false });
          }}
        >
          <TextField name="keyId" label={t('key-id')} defaultValue={storedId} required autoComplete="off" pattern={KEY_ID_PATTERN} />
          <TextField name="keySecret" label={t('key-secret')} required autoComplete="off" />
          <FormActions>
            <Button type="submit" look="primary">
              {t('key-use')}
            </Button>
          </FormActions>
        </Form>
      )}
    </>
  );
}

function newKeyOf(keyType: KeyType, values: Readonly<Record<string, string>>): NewKey {
  switch (keyType) {
    case 'UsageBased':
      return { keyType, allowedUses: Number(values.allowedUses) };
    case 'TimeBased':
      return { keyType, expiration: new Date(Date.now() + Number(values.hours) * HOUR_MS).toISOString() };
    case 'Persistent':
      return { keyType };
  }
}

interface CommandProps {
  readonly deployKey: DeployKey;
  readonly options: DeployOptions;
  /** The platform that was chosen. Without one, or where the server does not offer it, it is that of the browser. */
  readonly platform: string | undefined;
  readonly onPlatform: (platform: string) => void;
}

function Command({ deployKey, options, platform, onPlatform }: CommandProps): ReactNode {
  const { agentInstallations, publicUrl } = useSession().features;
  const installations = agentInstallations ?? [];
  const own = ownPlatform(
    installations.map((installation) => installation.platform),
    navigator.userAgent,
  );
  const chosen =
    installations.find((installation) => installation.platform === platform) ??
    installations.find((installation) => installation.platform === own);
  if (chosen === undefined) return <Banner look="warn">{t('no-agent')}</Banner>;
  const command = commandFor(chosen, deployKey, options);
  const address = `${publicUrl.replace(/\/$/, '')}/downloads/${chosen.script}`;
  return (
    <div className={css.command}>
      <div className={css.platforms} role="group" aria-label={t('platform')}>
        {installations.map((installation) => (
          <ToggleChip key={installation.platform} pressed={installation === chosen} onClick={() => onPlatform(installation.platform)}>
            {platformName(installation.platform)}
          </ToggleChip>
        ))}
      </div>
      <CopyField label={t('command')} value={command} wrap hideLabel />
      <div>
        <CopyTextButton text={command} label={t('copy-command')} look="primary" />
      </div>
      <p className="muted">{chosen.script === 'install.ps1' ? t('does-windows') : t('does-unix')}</p>
      {options.instanceId !== '' && !takesInstance(chosen.script) && <Banner look="warn">{t('no-instance')}</Banner>}
      <details className={css.qr}>
        <summary>{t('qr')}</summary>
        <QrCode text={address} label={t('qr-label')} />
        <CopyField label={t('qr-label')} value={address} />
      </details>
      <Arrivals deployKey={deployKey} customerId={options.customerId} />
    </div>
  );
}
