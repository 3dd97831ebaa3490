/** A key: its character or name, and its place on the keyboard. */
type Key = readonly [key: string, code: string];

const CONTROL: Key = ['Control', 'ControlLeft'];
const SHIFT: Key = ['Shift', 'ShiftLeft'];
const ALT: Key = ['Alt', 'AltLeft'];
const META: Key = ['Meta', 'MetaLeft'];

/** Keys that the browser or the own system keeps to itself, by what is written on them. */
export const SHORTCUTS: readonly { readonly label: string; readonly keys: readonly Key[] }[] = [
  { label: 'Win', keys: [META] },
  { label: 'Win+R', keys: [META, ['r', 'KeyR']] },
  { label: 'Win+E', keys: [META, ['e', 'KeyE']] },
  { label: 'Win+D', keys: [META, ['d', 'KeyD']] },
  { label: 'Alt+Tab', keys: [ALT, ['Tab', 'Tab']] },
  { label: 'Alt+F4', keys: [ALT, ['F4', 'F4']] },
  { label: 'Ctrl+Esc', keys: [CONTROL, ['Escape', 'Escape']] },
  { label: 'Ctrl+Shift+Esc', keys: [CONTROL, SHIFT, ['Escape', 'Escape']] },
  { label: 'Ctrl+W', keys: [CONTROL, ['w', 'KeyW']] },
  { label: 'Esc', keys: [['Escape', 'Escape']] },
  { label: 'F11', keys: [['F11', 'F11']] },
  { label: 'Print Screen', keys: [['PrintScreen', 'PrintScreen']] },
];
