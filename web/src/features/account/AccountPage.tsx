import type { ReactNode } from 'react';

import { Page } from '../../ui/page/Page.js';
import { Tab, Tabs } from '../../ui/tabs/Tabs.js';
import css from './AccountPage.module.css';
import { t } from './texts.js';

const TABS = ['profile', 'security', 'sessions', 'tokens', 'preferences', 'data'] as const;
type AccountTab = (typeof TABS)[number];

interface AccountPageProps {
  readonly tab: AccountTab;
  readonly children: ReactNode;
}

/** One of the pages about the user's own account, below the tabs that lead to all of them. */
export function AccountPage({ tab, children }: AccountPageProps): ReactNode {
  return (
    <Page title={t(tab)} within={[t('account')]}>
      <Tabs label={t('account')}>
        {TABS.map((each) => (
          <Tab key={each} to={`/account/${each}`}>
            {t(each)}
          </Tab>
        ))}
      </Tabs>
      <div className={css.sections}>{children}</div>
    </Page>
  );
}

interface SectionProps {
  readonly title: string;
  /** Purpose of the part, in a sentence. */
  readonly text?: ReactNode;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** One matter of such a page. */
export function Section({ title, text, actions, children }: SectionProps): ReactNode {
  return (
    <section className={css.section} aria-label={title}>
      <div className={css.head}>
        <div className={css.words}>
          <h2>{title}</h2>
          {text !== undefined && <p className="muted">{text}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** Keeps a form as narrow as its lines can be read. */
export function Narrow({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className={css.narrow}>{children}</div>;
}
