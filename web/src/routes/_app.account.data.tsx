import { createFileRoute } from '@tanstack/react-router';

import { DataPage } from '../features/account/DataPage.js';

export const Route = createFileRoute('/_app/account/data')({ component: DataPage });
