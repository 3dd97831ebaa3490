import type { Locator } from 'playwright-core';

/** Enters something that the browser lets pass into the fields of a form. */
export async function fill(form: Locator): Promise<void> {
  for (const field of await form.locator('input:is([type=text], [type=email], [type=password], :not([type])), textarea').all()) {
    if (!(await field.isEditable())) continue;
    const type = await field.getAttribute('type');
    await field.fill(type === 'email' ? 'robin@example.org' : type === 'password' ? 'Correct-Horse-8' : 'Something');
  }
}
