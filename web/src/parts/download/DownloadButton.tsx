import { Download } from 'lucide';
import type { ReactNode } from 'react';

import { AnchorButton } from '../../ui/link-button/LinkButton.js';
import { downloadLinked } from './download.js';

interface DownloadButtonProps {
  readonly address: string;
  /** Name of the file; without it the service names it. */
  readonly name?: string;
  readonly children: ReactNode;
}

/** A link to a download that looks like a button. */
export function DownloadButton({ address, name, children }: DownloadButtonProps): ReactNode {
  return (
    <AnchorButton icon={Download} href={address} download={name ?? true} onClick={downloadLinked}>
      {children}
    </AnchorButton>
  );
}
