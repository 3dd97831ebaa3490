import { useMutation } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { CircleUser, LogOut, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';

import { changeAppearance, readAppearance } from '../../access/appearance.js';
import { renewSession, useSession } from '../../access/session.js';
import { api } from '../../api/client.js';
import { clearDeviceFeed } from '../../live/device-feed.js';
import { stopHub } from '../../live/hub.js';
import { endSessions } from '../../live/sessions/sessions.js';
import { MenuButton } from '../../ui/menu/MenuButton.js';
import { ConnectionPill } from './ConnectionPill.js';
import { CustomerScope } from './CustomerScope.js';
import { t } from './texts.js';
import css from './TopBar.module.css';

const THEMES = ['system', 'light', 'dark'] as const;

/** The bar over every page: whose devices these are, whether they are live, and who is signed in. */
export function TopBar(): ReactNode {
  const session = useSession();
  const signOut = useSignOut();
  return (
    <header className={css.bar}>
      <Link to="/devices" className={css.brand}>
        <img src="/favicon.svg" alt="" width={24} height={24} />
        <span className="cut">{session.tenant.name ?? t('product')}</span>
      </Link>
      <CustomerScope />
      <div className={css.space} />
      <ConnectionPill />
      <MenuButton
        label={session.user.userName}
        icon={CircleUser}
        look="quiet"
        align="end"
        className={css.user}
        entries={() => [
          { label: t('account'), icon: CircleUser, href: '/account/profile' },
          { label: t('account-security'), icon: ShieldCheck, href: '/account/security' },
          null,
          {
            group: t('theme'),
            entries: THEMES.map((theme) => ({
              label: t(`theme-${theme}`),
              checked: readAppearance().theme === theme,
              onCheckedChange: () => void changeAppearance({ theme }),
            })),
          },
          null,
          { label: t('about'), href: '/about' },
          { label: t('sign-out'), icon: LogOut, onSelect: () => signOut.mutate() },
        ]}
      />
    </header>
  );
}

/** Ends the session: nothing that it showed stays in this page or in others of this browser. */
function useSignOut() {
  const router = useRouter();
  return useMutation({
    async mutationFn() {
      endSessions();
      await api.POST('/account/sign-out');
      await stopHub();
      clearDeviceFeed();
      signOutElsewhere();
      await renewSession();
      await router.navigate({ to: '/signin' });
    },
  });
}

const CHANNEL = 'session';

/** Tells the other pages of this browser. */
function signOutElsewhere(): void {
  const channel = new BroadcastChannel(CHANNEL);
  // A broadcast reaches this origin only.
  // eslint-disable-next-line unicorn/require-post-message-target-origin
  channel.postMessage('signed-out');
  channel.close();
}

/** Calls back when another page of this browser signs out. */
export function onSignedOutElsewhere(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', listener);
  return () => channel.close();
}
