import { Check, Copy } from 'lucide';
import { type ReactNode, useEffect, useState } from 'react';

import { Button, type ButtonLook, IconButton } from '../button/Button.js';
import { t } from '../later-texts.js';
import { copyText } from './copy-text.js';

/** True for a moment after the text was copied, and the function that copies it. */
function useCopy(text: string): readonly [isCopied: boolean, copy: () => void] {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = (): void => void copyText(text).then(setCopied);
  return [isCopied, copy];
}

interface CopyButtonProps {
  readonly text: string;
  /** Name of the button, with the object: "Copy the address". */
  readonly label?: string;
  readonly className?: string;
}

/** An icon that copies a text. */
export function CopyButton({ text, label = t('copy'), className }: CopyButtonProps): ReactNode {
  const [isCopied, copy] = useCopy(text);
  return (
    <>
      <IconButton icon={isCopied ? Check : Copy} label={label} className={className} onClick={copy} />
      <Said isCopied={isCopied} />
    </>
  );
}

/** A button with words that copies a text: the main act of a page, as on Deploy. */
export function CopyTextButton({ text, label = t('copy'), look }: CopyButtonProps & { readonly look?: ButtonLook }): ReactNode {
  const [isCopied, copy] = useCopy(text);
  return (
    <>
      <Button icon={isCopied ? Check : Copy} look={look} onClick={copy}>
        {isCopied ? t('copied') : label}
      </Button>
      <Said isCopied={isCopied} />
    </>
  );
}

/** Says aloud that the text was copied. */
function Said({ isCopied }: { readonly isCopied: boolean }): ReactNode {
  return (
    <span className="visually-hidden" role="status">
      {isCopied && t('copied')}
    </span>
  );
}
