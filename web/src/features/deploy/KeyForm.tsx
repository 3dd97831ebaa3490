import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { useCan } from '../../access/can.js';
import { useSession } from '../../access/session.js';
import { Banner } from '../../ui/banner/Banner.js';
import { Button } from '../../ui/button/Button.js';
import { ToggleChip } from '../../ui/chip/Chip.js';
import { CopyField } from '../../ui/copy/CopyField.js';
import { TextField } from '../../ui/field/Field.js';
import type { Schemas } from '../../model/schemas.js';
import { Form, type FormValues } from '../../ui/form/Form.js';
import { FormActions } from '../../ui/form/FormActions.js';
import { RadioGroup } from '../../ui/radio-group/RadioGroup.js';
import { createKey, type NewKey } from '../../api/devices/installer-keys.js';
import { KEY_ID_PATTERN } from './deploy-choice.js';
import type { DeployKey } from './deploy-key.js';
import css from './DeployPage.module.css';
import { t } from './texts.js';

type KeyType = NewKey['keyType'];
type Field = keyof Schemas['CreateInstallerKeyRequestDto'] | 'hours';
type KnownField = 'keyId' | 'keySecret';
const HOUR_MS = 3_600_000;

interface KeyFormProps {
  /** The id of a stored key that is to be used. */
  readonly storedId: string | undefined;
  readonly current: DeployKey | null;
  /** Gets the key for the command; null when another one is wanted. */
  readonly onKey: (key: DeployKey | null) => void;
}

/** Makes an installer key for the command, or takes one that exists. */
export function KeyForm({ storedId, current, onKey }: KeyFormProps): ReactNode {
  const { tenant } = useSession();
  const mayCreate = useCan('installer-key.write');
  const [mode, setMode] = useState<'new' | 'known'>(mayCreate && storedId === undefined ? 'new' : 'known');
  const [type, setType] = useState<KeyType>('UsageBased');
  // A user who has gone to another page stays there.
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const create = useMutation({
    async mutationFn(values: FormValues<Field>) {
      const { id, keySecret } = await createKey(newKeyOf(type, values), values.friendlyName ?? '', tenant.id);
      if (isHere.current) onKey({ id, secret: keySecret, isNew: true });
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
        <Form<Field> error={create.error} onSubmit={(values) => create.mutate(values)}>
          <RadioGroup<KeyType, Field>
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
            <TextField<Field> name="allowedUses" label={t('uses')} type="number" min={1} max={1_000_000} defaultValue="1" required />
          )}
          {type === 'TimeBased' && (
            <TextField<Field> name="hours" label={t('hours')} type="number" min={1} max={8760} defaultValue="24" required />
          )}
          <TextField<Field> name="friendlyName" label={t('key-name')} hint={t('key-name-hint')} maxLength={100} autoComplete="off" />
          <FormActions>
            <Button type="submit" look="primary" icon={KeyRound} busy={create.isPending}>
              {t('key-create')}
            </Button>
          </FormActions>
        </Form>
      ) : (
        <Form<KnownField>
          onSubmit={({ keyId = '', keySecret = '' }) => {
            onKey({ id: keyId.trim(), secret: keySecret.trim(), isNew: false });
          }}
        >
          <TextField<KnownField>
            name="keyId"
            label={t('key-id')}
            defaultValue={storedId}
            required
            autoComplete="off"
            pattern={KEY_ID_PATTERN}
          />
          <TextField<KnownField> name="keySecret" label={t('key-secret')} required autoComplete="off" />
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

function newKeyOf(keyType: KeyType, values: FormValues<Field>): NewKey {
  switch (keyType) {
    case 'UsageBased':
      return { keyType, allowedUses: Number(values.allowedUses) };
    case 'TimeBased':
      return { keyType, expiration: new Date(Date.now() + Number(values.hours) * HOUR_MS).toISOString() };
    case 'Persistent':
      return { keyType };
  }
}
