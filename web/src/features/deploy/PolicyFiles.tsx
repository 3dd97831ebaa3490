import { Download } from 'lucide';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button/Button.js';
import { CopyField } from '../../ui/copy/CopyField.js';
import { saveFile } from '../../ui/save-file.js';
import type { DeployKey } from './deploy-key.js';
import css from './DeployPage.module.css';
import type { AgentOptions } from './install-command.js';
import { KEY_FILE, policyScriptFor } from './policy-script.js';
import { t } from './texts.js';

interface PolicyFilesProps {
  readonly installation: { readonly script: string; readonly command: string };
  readonly deployKey: DeployKey;
  readonly options: AgentOptions;
}

/** The two files that a group policy or a device management puts on devices: the script, and the secret of the key. */
export function PolicyFiles({ installation, deployKey, options }: PolicyFilesProps): ReactNode {
  const { fileName, text } = policyScriptFor(installation, deployKey.id, options);
  return (
    <>
      <p className="muted">{t('policy-hint', { script: fileName, key: KEY_FILE })}</p>
      <CopyField label={fileName} value={text} wrap />
      <div className={css.platforms}>
        <Button look="primary" icon={Download} onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), fileName)}>
          {t('download', { name: fileName })}
        </Button>
        <Button icon={Download} onClick={() => saveFile(new Blob([deployKey.secret, '\n'], { type: 'text/plain' }), KEY_FILE)}>
          {t('download', { name: KEY_FILE })}
        </Button>
      </div>
      <p className="muted">{t('policy-key')}</p>
    </>
  );
}
