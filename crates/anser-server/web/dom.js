// Elements without a framework.

/**
 * Makes an element.
 * @param {string} name
 * @param {Record<string, any>} attributes
 * @param {...(Node | string | null)} children
 */
export function h(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/**
 * Makes an element of SVG.
 * @template {keyof SVGElementTagNameMap} N
 * @param {N} name
 * @param {Record<string, any>} attributes
 * @param {...(Node | string | null)} children
 */
export function s(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Record<string, any>} attributes
 * @param {(Node | string | null)[]} children
 * @returns {E}
 */
function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** What a control is called: an earlier one of the same name stood for the same. @param {Element} control */
const nameOf = (control) =>
  `${control.tagName} ${control.id || (control.getAttribute("aria-label") ?? control.textContent)}`;

/**
 * Replaces what an element contains. Nodes that it contains already stay where they are, so that a
 * choice in them may stay open. A control that had the focus and is gone gives it to the one that
 * now stands for it, or to the element, from where the next control is a step away.
 * @param {HTMLElement} element
 * @param {...(Node | string | null)} children
 */
export function renew(element, ...children) {
  const controls = () => [...element.querySelectorAll("button, select, input, a, summary, [tabindex]")];
  const before = document.activeElement;
  const isWithin = before !== null && before !== element && element.contains(before);
  const equal = () => controls().filter((other) => nameOf(other) === name);
  const name = isWithin ? nameOf(before) : "";
  const place = isWithin ? equal().indexOf(before) : -1;
  const nodes = children.flatMap((child) =>
    child === null ? [] : [typeof child === "string" ? new Text(child) : child],
  );
  for (const child of [...element.childNodes]) if (!nodes.includes(child)) child.remove();
  nodes.forEach((node, place) => {
    const there = element.childNodes[place] ?? null;
    if (there !== node) element.insertBefore(node, there);
  });
  if (!isWithin || document.activeElement === before) return;
  for (const next of [equal()[place], element]) {
    if (!(next instanceof HTMLElement || next instanceof SVGElement)) continue;
    if (next === element) element.tabIndex = -1;
    next.focus({ preventScroll: true });
    if (document.activeElement === next) return;
  }
}

/**
 * A choice with a label.
 * @param {string} label
 * @param {string} id
 * @param {{value: string, text: string, title?: string}[]} options
 * @param {string} value
 * @param {(value: string) => void} change
 */
export function choice(label, id, options, value, change) {
  const select = h(
    "select",
    {
      id,
      onchange: (/** @type {Event} */ event) =>
        change(/** @type {HTMLSelectElement} */ (event.target).value),
    },
    ...options.map((option) =>
      h(
        "option",
        { value: option.value, title: option.title, selected: option.value === value },
        option.text,
      ),
    ),
  );
  return labeled(label, id, select);
}

/**
 * A number with a label.
 * @param {string} label
 * @param {string} id
 * @param {number} value
 * @param {(value: number) => void} change
 */
export function number(label, id, value, change) {
  const input = h("input", {
    id, type: "number", min: 0, value,
    onchange: () => change(Math.trunc(Number(/** @type {HTMLInputElement} */ (input).value))),
  });
  return labeled(label, id, input);
}

/** @param {string} label @param {string} id @param {HTMLElement} element */
const labeled = (label, id, element) =>
  h("span", { class: "choice" }, h("label", { for: id }, label), element);
