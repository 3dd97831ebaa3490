import { createFileRoute } from '@tanstack/react-router';

import { TokensPage } from '../features/account/tokens/TokensPage.js';

export const Route = createFileRoute('/_app/account/tokens')({ component: TokensPage });
