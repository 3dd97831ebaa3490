import { type ReactNode, useState } from 'react';

import { useSession } from '../../access/session.js';
import type { Schemas } from '../../api/client.js';
import { Banner } from '../../ui/banner/Banner.js';
import { ToggleChip } from '../../ui/chip/Chip.js';
import { CopyTextButton } from '../../ui/copy/CopyButton.js';
import { CopyField } from '../../ui/copy/CopyField.js';
import { PolicyFiles } from './PolicyFiles.js';
import { QrCode } from '../../ui/qr-code/QrCode.js';
import { Arrivals } from './Arrivals.js';
import type { DeployKey } from './deploy-key.js';
import css from './DeployPage.module.css';
import { choiceOf, commandFor, installableName, ownPlatform } from './install-command.js';
import type { DeployOptions } from './Options.js';
import { t } from './texts.js';

interface CommandProps {
  readonly deployKey: DeployKey;
  readonly options: DeployOptions;
  /** The platform and agent that was chosen, as the address names it. Without one, or where the server does not offer it, it is that of the browser. */
  readonly platform: string | undefined;
  readonly onPlatform: (platform: string) => void;
  /** Stands above the devices that come. */
  readonly children: ReactNode;
}

/** The command that installs the agent with a key, and the devices that come by it. */
export function Command({ deployKey, options, platform, onPlatform, children }: CommandProps): ReactNode {
  const { agentInstallations, publicUrl } = useSession().features;
  const installations = agentInstallations ?? [];
  const [form, setForm] = useState<'command' | 'files'>('command');
  const own = ownPlatform(
    installations.map((installation) => installation.platform),
    navigator.userAgent,
  );
  const chosen =
    installations.find((installation) => choiceOf(installation) === platform) ??
    installations.find((installation) => installation.platform === own);
  if (chosen === undefined) return <Banner look="warn">{t('no-agent')}</Banner>;
  const command = commandFor(chosen, deployKey, options);
  const address = `${publicUrl.replace(/\/$/, '')}${chosen.path}`;
  return (
    <div className={css.command}>
      <div className={css.platforms} role="group" aria-label={t('platform')}>
        {installations.map((installation) => (
          <ToggleChip key={choiceOf(installation)} pressed={installation === chosen} onClick={() => onPlatform(choiceOf(installation))}>
            {installableName(installation)}
          </ToggleChip>
        ))}
      </div>
      {chosen.brand === null && (
        <div className={css.platforms} role="group" aria-label={t('form')}>
          <ToggleChip pressed={form === 'command'} onClick={() => setForm('command')}>
            {t('form-command')}
          </ToggleChip>
          <ToggleChip pressed={form === 'files'} onClick={() => setForm('files')}>
            {t('form-files')}
          </ToggleChip>
        </div>
      )}
      {form === 'files' && chosen.brand === null ? (
        <PolicyFiles installation={chosen} deployKey={deployKey} options={options} />
      ) : (
        <>
          <CopyField label={t('command')} value={command} wrap hideLabel />
          <div>
            <CopyTextButton text={command} label={t('copy-command')} look="primary" />
          </div>
          {whatItDoes(chosen).map((text) => (
            <p key={text} className="muted">
              {text}
            </p>
          ))}
        </>
      )}
      <details className={css.qr}>
        <summary>{t('qr')}</summary>
        <QrCode text={address} label={t('qr-label')} />
        <CopyField label={t('qr-label')} value={address} />
      </details>
      {children}
      <Arrivals deployKey={deployKey} />
    </div>
  );
}

/** Explains the command, and the extra steps on platforms where it does less. */
function whatItDoes({
  script,
  brand,
  platform,
}: Pick<Schemas['AgentInstallationDto'], 'script' | 'brand' | 'platform'>): readonly string[] {
  if (brand !== null) {
    const runs = platform.startsWith('win-') ? t('runs-installer-windows', { brand }) : t('runs-installer-unix', { brand });
    return [runs, t('secret-in-command')];
  }
  return script === 'install.ps1' ? [t('does-windows')] : [t('does-unix'), t('without-service')];
}
