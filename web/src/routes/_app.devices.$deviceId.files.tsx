import { createFileRoute } from '@tanstack/react-router';

import { FilesTab } from '../features/device/files/FilesTab.js';
import { DEFAULT_SORT, type Sort, SORTS } from '../features/device/files/sorts.js';
import { choiceOf, oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/devices/$deviceId/files')({
  validateSearch: (search): { path?: string; sort?: Sort; hidden?: boolean; file?: string } => ({
    path: oneOf(search.path),
    sort: choiceOf(search.sort, SORTS),
    hidden: String(search.hidden) === 'true' || undefined,
    file: oneOf(search.file),
  }),
  component: function Files() {
    const { path, sort, hidden = false, file } = Route.useSearch();
    return <FilesTab path={path} sort={sort ?? DEFAULT_SORT} showHidden={hidden} file={file} />;
  },
});
