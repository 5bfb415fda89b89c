/**
 * Searches companies while the buyer types: a combobox with a list (the ARIA pattern of that name) that works with keyboard
 * and screen reader alone. Only the answer to the latest input is shown.
 */
import { announcer, fill, h, type Words } from "./Dom.ts"

/** A company as the service returns it (DP 2.2); other members are passed on. */
export interface Company {
  readonly id: string
  readonly name: string
  readonly address: string
  readonly city: string
  readonly postcode: string
  readonly identifiers: ReadonlyArray<{ readonly id_type: string; readonly value: string }>
}

const PAUSE_MS = 200
const SHORTEST = 2

/** What tells companies with the same name apart. */
export const details = ({ address, city, identifiers, postcode }: Company, words: Words): ReadonlyArray<string> => {
  const number = identifiers.find(({ id_type }) => id_type === "reg_number")?.value
  return [
    ...(number === undefined ? [] : [fill(words.regNumber, { number })]),
    [address, postcode, city].filter((part) => part !== "").join(", ")
  ].filter((line) => line !== "")
}

export interface SearchOptions {
  readonly words: Words
  /** Finds companies that match the input. */
  readonly find: (text: string, signal: AbortSignal) => Promise<ReadonlyArray<Company>>
  readonly onSelect: (company: Company) => void
  /** Aborted when the element is removed; cancels a running search. */
  readonly signal: AbortSignal
}

/** The nodes that it consists of. */
const partsOf = (words: Words) => ({
  status: announcer("status"),
  hint: h("p", { id: "company-hint", class: "hint" }, words.searchHint),
  list: h("ul", { role: "listbox", id: "companies", "aria-label": words.results, hidden: true }),
  input: h("input", {
    id: "company",
    type: "text",
    role: "combobox",
    autocomplete: "off",
    spellcheck: "false",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": "companies",
    "aria-describedby": "company-hint"
  })
})

type Parts = ReturnType<typeof partsOf>

/** The list of companies, and which one is active for the keyboard. */
const listbox = ({ input, list }: Parts, words: Words, onSelect: (company: Company) => void) => {
  let found: ReadonlyArray<Company> = []
  let active = -1

  const mark = (next: number) => {
    active = next
    for (const [i, option] of [...list.children].entries()) {
      option.setAttribute("aria-selected", String(i === active))
      if (i === active) option.scrollIntoView({ block: "nearest" })
    }
    if (active < 0) input.removeAttribute("aria-activedescendant")
    else input.setAttribute("aria-activedescendant", `company-${active}`)
  }

  const optionOf = (company: Company, i: number) =>
    h(
      "li",
      { role: "option", id: `company-${i}`, "aria-selected": "false", onclick: () => onSelect(company) },
      h("span", { class: "label" }, company.name),
      ...details(company, words).map((line) => h("span", { class: "more" }, line))
    )

  const show = (companies: ReadonlyArray<Company>) => {
    found = companies
    list.replaceChildren(...companies.map(optionOf))
    list.hidden = companies.length === 0
    input.setAttribute("aria-expanded", String(companies.length > 0))
    mark(-1)
  }

  const move: Readonly<Record<string, () => number>> = {
    ArrowDown: () => (active + 1 < found.length ? active + 1 : 0),
    ArrowUp: () => (active > 0 ? active - 1 : found.length - 1)
  }

  /** The company that Enter would select; undefined if none. */
  const taken = (): Company | undefined => (active < 0 && found.length > 1 ? undefined : found[Math.max(active, 0)])

  return { mark, move, show, taken, isEmpty: () => found.length === 0 }
}

export const companySearch = ({ find, onSelect, signal, words }: SearchOptions): HTMLElement => {
  const parts = partsOf(words)
  const { hint, input, list, status } = parts
  const companies = listbox(parts, words, onSelect)
  let running = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined

  const show = (found: ReadonlyArray<Company>, said: string) => {
    companies.show(found)
    say(said)
  }

  const say = (text: string) => {
    status.textContent = text
    hint.hidden = text !== ""
  }

  const search = async (text: string) => {
    const mine = running
    say(words.searching)
    try {
      const found = await find(text, AbortSignal.any([mine.signal, signal]))
      show(found, found.length === 0 ? words.none : fill(words.found, { count: found.length }))
    } catch {
      if (!mine.signal.aborted && !signal.aborted) show([], words.searchFailed)
    }
  }

  input.addEventListener("input", () => {
    running.abort()
    running = new AbortController()
    clearTimeout(timer)
    const text = input.value.trim()
    if (text.length < SHORTEST) show([], "")
    else timer = setTimeout(() => void search(text), PAUSE_MS)
  })
  input.addEventListener("keydown", (event) => {
    const next = companies.move[event.key]
    if ((next === undefined && event.key !== "Enter" && event.key !== "Escape") || companies.isEmpty()) return
    event.preventDefault()
    if (next !== undefined) return companies.mark(next())
    if (event.key === "Escape") return show([], "")
    // Enter selects the active company, or the only one; it never submits a surrounding form.
    const company = companies.taken()
    if (company !== undefined) onSelect(company)
  })
  signal.addEventListener("abort", () => clearTimeout(timer))

  return h("div", { class: "field" }, h("label", { for: "company" }, words.search), input, hint, list, status)
}
