import { type ReactNode, useState } from 'react';

import { Select } from '../src/ui/select/Select.js';
import { Controls } from './Controls.js';
import { Data } from './Data.js';
import { Facts } from './Facts.js';
import css from './Gallery.module.css';
import { Overlays } from './Overlays.js';
import { States } from './States.js';

const SECTIONS: Readonly<Record<string, () => ReactNode>> = { Facts, Controls, Overlays, Data, States };

/** All sections below each other, or the one that the address names. */
export function Gallery({ only }: { readonly only: string | null }): ReactNode {
  const sections = Object.entries(SECTIONS).filter(([name]) => only === null || name.toLowerCase() === only.toLowerCase());
  return (
    <main className={css.gallery}>
      <div className={css.bar}>
        <h1>Gallery</h1>
        <ThemeSelect />
      </div>
      {sections.map(([name, Section]) => (
        <section key={name} className={css.section} aria-labelledby={`section-${name}`}>
          <h2 id={`section-${name}`}>{name}</h2>
          <div className={css.samples}>
            <Section />
          </div>
        </section>
      ))}
    </main>
  );
}

function ThemeSelect(): ReactNode {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme ?? 'system');
  return (
    <Select
      label="Theme"
      hideLabel
      value={theme}
      options={['system', 'light', 'dark'].map((value) => ({ value, label: value }))}
      onValueChange={(chosen) => {
        setTheme(chosen);
        if (chosen === 'system') delete document.documentElement.dataset.theme;
        else document.documentElement.dataset.theme = chosen;
      }}
    />
  );
}
