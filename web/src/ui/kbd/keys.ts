const MAC: Readonly<Record<string, string>> = { Ctrl: '⌃', Mod: '⌘', Alt: '⌥', Shift: '⇧', Enter: '⏎', Backspace: '⌫', Delete: '⌦' };
const OTHERS: Readonly<Record<string, string>> = { Mod: 'Ctrl' };
const ARROWS: Readonly<Record<string, string>> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' };

/** The caps of a shortcut as the keyboard at hand names them: `Mod+K` is ⌘ K on a Mac and Ctrl K elsewhere. */
export function capsOf(keys: string, isMac: boolean): string[] {
  const names = isMac ? MAC : OTHERS;
  return keys.split('+').map((key) => {
    const name = names[key] ?? ARROWS[key] ?? key;
    return name.length === 1 ? name.toUpperCase() : name;
  });
}
