import { type ReactNode, useMemo } from 'react';

import css from './QrCode.module.css';
import { qrPath } from './modules.js';

interface QrCodeProps {
  readonly text: string;
  /** Its target: "Address of the installer". The text itself has to stand beside it, for those who cannot scan. */
  readonly label: string;
  /** Width and height in pixels. */
  readonly size?: number;
}

/** A text for the camera of a phone: dark on white in both themes, as many readers ask for that. */
export function QrCode({ text, label, size = 160 }: QrCodeProps): ReactNode {
  const code = useMemo(() => qrPath(text), [text]);
  return (
    <svg
      className={css.code}
      viewBox={`-4 -4 ${code.size + 8} ${code.size + 8}`}
      width={size}
      height={size}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path d={code.path} />
    </svg>
  );
}
