/*
 * xterm writes its styles into style elements and into attributes of spans, which the content security policy forbids. Here they become
 * constructed style sheets, and declarations of the spans, which it allows.
 */

/** Stands for a style element: its text goes into a sheet of the document, and removing it takes the sheet away. */
function constructedStyle(): HTMLElement {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  const element: HTMLElement = Document.prototype.createElement.call(document, 'span');
  element.hidden = true;
  Object.defineProperty(element, 'textContent', {
    set(css: string) {
      sheet.replaceSync(css);
    },
  });
  element.remove = () => {
    Element.prototype.remove.call(element);
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
  };
  return element;
}

const createElement = (tag: string, options?: ElementCreationOptions): HTMLElement =>
  tag === 'style' ? constructedStyle() : Document.prototype.createElement.call(document, tag, options);

/** The document as xterm should see it: `new Terminal({ documentOverride: documentForXterm() })`. */
export function documentForXterm(): Document {
  return new Proxy(document, {
    get(target, name) {
      if (name === 'createElement') return createElement;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value;
    },
  });
}

/** Styles a span as its attribute would without the policy. xterm makes its rows with the page's own document, so all spans have this. */
function setAttributeOfSpan(this: HTMLSpanElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value;
  else Element.prototype.setAttribute.call(this, name, value);
}

/** Opens a terminal. Its viewport asks the page's own document for style elements, even if it was given another. */
export function withConstructedStyles(open: () => void): void {
  HTMLSpanElement.prototype.setAttribute = setAttributeOfSpan;
  document.createElement = createElement;
  try {
    open();
  } finally {
    Reflect.deleteProperty(document, 'createElement');
  }
}
