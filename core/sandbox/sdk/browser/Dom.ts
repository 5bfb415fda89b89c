/**
 * Small helpers for the elements: building nodes, and texts in the buyer's language. Nothing is ever parsed as markup, and no
 * style is set in an attribute, so that every content security policy is satisfied.
 */
import type english from "../locales/en.json"

export type Words = typeof english
export type Word = keyof Words

type Child = Node | string | false | undefined

/** Creates a node with attributes, listeners (`onclick`) and children. */
export const h = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, unknown>> = {},
  ...children: ReadonlyArray<Child>
): HTMLElementTagNameMap[K] => {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value as EventListener)
    else if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : String(value))
  }
  node.append(...children.filter((child) => child !== undefined && child !== false))
  return node
}

/** Fills the placeholders of a text. */
export const fill = (text: string, values: Readonly<Record<string, unknown>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))

/** A group of radio buttons; each may have more content below its label. */
export const radios = (
  legend: string,
  name: string,
  options: ReadonlyArray<{ readonly value: string; readonly label: string; readonly more?: ReadonlyArray<string> }>,
  chosen: string | undefined,
  onChoice: (value: string) => void
): HTMLFieldSetElement =>
  h(
    "fieldset",
    { class: "radios" },
    h("legend", {}, legend),
    ...options.map(({ label, more = [], value }) =>
      h(
        "label",
        { class: "card" },
        h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onChoice(value) }),
        h("span", { class: "label" }, label),
        ...more.map((line) => h("span", { class: "more" }, line))
      )
    )
  )

/** A live region for screen readers; it must be on the page before its text changes. */
export const announcer = (role: "status" | "alert", hidden = false): HTMLParagraphElement =>
  h("p", { role, class: hidden ? "spoken" : role })
