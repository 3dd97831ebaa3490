/** True if a click or a key was meant for a control inside a row, or for the head of a column. */
export function isInteractive(target: EventTarget, row: EventTarget): boolean {
  const control = target instanceof Element ? target.closest('a, button, input, label, [role=columnheader]') : null;
  return control !== null && row instanceof Element && row.contains(control);
}
