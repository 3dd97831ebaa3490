import { useMutation } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { LogOut } from 'lucide-react';
import type { ReactNode } from 'react';

import { renewSession, useSession } from '../../access/session.js';
import { api } from '../../api/client.js';
import { IconButton } from '../../ui/button/Button.js';
import { t } from './texts.js';
import css from './TopBar.module.css';

/** The bar over every page: whose devices these are, and who is signed in. */
export function TopBar(): ReactNode {
  const session = useSession();
  const router = useRouter();
  const signOut = useMutation({
    async mutationFn() {
      await api.POST('/account/sign-out');
      await renewSession();
      await router.navigate({ to: '/signin' });
    },
  });
  return (
    <header className={css.bar}>
      <Link to="/devices" className={css.brand}>
        <img src="/favicon.svg" alt="" width={24} height={24} />
        <span className="cut">{session.tenant.name ?? t('product')}</span>
      </Link>
      <div className={css.space} />
      <span className="muted cut">{session.user.userName}</span>
      <IconButton icon={LogOut} label={t('sign-out')} onClick={() => signOut.mutate()} />
    </header>
  );
}
