import { useState } from 'react';

import { formatBytes } from '../../../../i18n/format.js';
import { problemOf } from '../../../../problem/problem.js';
import { describeProblem } from '../../../../ui/problem-text.js';
import { toast } from '../../../../ui/toast/toasts.js';
import { MAX_TEXT_BYTES } from '../entries.js';
import { type EncodingChoice, choiceOf, encodingOf } from './encoding.js';
import { withLineEnds } from './line-ends.js';
import { type Place, saveText, type Stamp, type TextFile } from './text-file.js';
import { t } from './texts.js';

/** The file as the device has it now, when it is not as it was read; without a stamp it was deleted. */
export interface Changed {
  readonly now: Stamp | undefined;
}

interface Saving {
  /** True once the file has the text. */
  readonly save: (shown: string, overwrite: boolean) => Promise<boolean>;
  readonly isSaving: boolean;
  /** The reason why the last attempt wrote nothing. */
  readonly problem: string | null;
  readonly changed: Changed | null;
  readonly dismiss: () => void;
}

/** Saves the text of a file in an encoding, with the line ends that the file has. */
export function useSaving(place: Place, file: Extract<TextFile, { readonly kind: 'text' }>, choice: EncodingChoice): Saving {
  const [isSaving, setSaving] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [changed, setChanged] = useState<Changed | null>(null);

  const attempt = async (shown: string, overwrite: boolean): Promise<boolean> => {
    const isWindows = /^[a-z]:|^\\\\/i.test(place.directory);
    const text = withLineEnds(shown, file.text, isWindows ? '\r\n' : '\n');
    const encoding = choice === choiceOf(file.encoding) ? file.encoding : encodingOf(choice);
    const saved = await saveText(place, text, encoding, overwrite ? null : file.stamp);
    setChanged(saved.outcome === 'changed' ? { now: saved.now } : null);
    if (saved.outcome === 'unencodable') setProblem(t('unencodable', { encoding: t(`encoding-${choice}`), characters: saved.missing }));
    if (saved.outcome === 'large') setProblem(t('too-large', { limit: formatBytes(MAX_TEXT_BYTES) }));
    if (saved.outcome !== 'saved') return false;
    toast(t('saved', { name: place.name }));
    return true;
  };
  return {
    async save(shown, overwrite) {
      setSaving(true);
      setProblem(null);
      try {
        return await attempt(shown, overwrite);
      } catch (error) {
        setChanged(null);
        setProblem(t('save-failed', { reason: describeProblem(problemOf(error)) }));
        return false;
      } finally {
        setSaving(false);
      }
    },
    isSaving,
    problem,
    changed,
    dismiss: () => setChanged(null),
  };
}
