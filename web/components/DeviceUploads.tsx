import { type ReactNode, useState } from 'react';

import { UploadList } from '../src/features/device/files/upload/UploadList.js';
import { startUploads, uploadsTo } from '../src/live/sessions/uploads/uploads.js';
import { Button } from '../src/ui/button/Button.js';
import type { ShownUploads } from './shown.js';

/** The list of uploads with a button that starts some, and the folders in which files have arrived. */
export function DeviceUploads({ deviceId, files }: ShownUploads): ReactNode {
  const [arrived, setArrived] = useState<readonly string[]>([]);
  const start = (): void =>
    startUploads(
      { id: deviceId, name: 'srv-01' },
      files.map(({ name, size }) => ({ file: new File([new Uint8Array(size)], name), name, directory: `/${name}`, overwrite: false })),
      (directory) => setArrived((before) => [...before, directory]),
    );
  return (
    <main>
      <Button onClick={start}>Upload</Button>
      <Button onClick={() => uploadsTo(deviceId)?.end()}>End</Button>
      <UploadList deviceId={deviceId} />
      <output>{arrived.join(' ')}</output>
    </main>
  );
}
