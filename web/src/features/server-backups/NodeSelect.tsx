import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { serverNodesQuery } from '../../api/system/server-nodes.js';
import { Select } from '../../ui/select/Select.js';
import css from './ServerBackups.module.css';
import { nodeChoices } from './states.js';
import { t } from './texts.js';

interface NodeSelectProps {
  /** Address of the node whose folder is shown. */
  readonly node: string;
  readonly onNode: (address: string) => void;
}

/** The node whose backups are shown, and the others to choose from. */
export function NodeSelect({ node, onNode }: NodeSelectProps): ReactNode {
  const nodes = useQuery({ ...serverNodesQuery, refetchInterval: false });
  const choices = nodeChoices(nodes.data?.nodes ?? [], node);
  return (
    <Select
      className={css.node}
      label={t('node')}
      hint={t('node-hint')}
      value={node}
      options={choices.map(({ address, state }) => ({
        value: address,
        label: nodes.data === undefined ? address : t(`node-${state ?? 'unlisted'}`, { address }),
      }))}
      onValueChange={onNode}
    />
  );
}
