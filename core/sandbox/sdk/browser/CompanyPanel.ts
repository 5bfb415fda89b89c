/**
 * Asks who is buying: the type of company, its country, and then the company itself, found by search or described. Shown by
 * the page's element, and by the payment frame for an intent.
 */
import { type Company, companySearch, details } from "./CompanySearch.ts"
import { announcer, fill, h, radios, type Words } from "./Dom.ts"
import type { Country } from "./Format.ts"
import { countrySelect, soleTrader, type Trader } from "./SoleTrader.ts"

export type CompanyType = "registered-company" | "sole-trader"

/** The payload of `companySelection` (DP 6.2). */
export type Selection = (Company | Trader) & { readonly type: CompanyType }

export interface PanelOptions {
  readonly words: Words
  readonly countries: ReadonlyArray<Country>
  readonly country: string | undefined
  /** The preselected company. */
  readonly company?: Company | undefined
  readonly signal: AbortSignal
  readonly find: (country: string, text: string, signal: AbortSignal) => Promise<ReadonlyArray<Company>>
  readonly onCountry: (code: string) => void
  readonly onType: (type: CompanyType) => void
  readonly onSelection: (selection: Selection | null) => void
}

/** Shows the chosen company in place of the search. */
const chosenOf = (words: Words, name: string, lines: ReadonlyArray<string>, change: HTMLElement): HTMLElement =>
  h(
    "div",
    { class: "chosen", role: "group", "aria-label": words.selected },
    h("div", {}, h("span", { class: "label" }, name), ...lines.map((line) => h("span", { class: "more" }, line))),
    change
  )

type Select = (selection: Selection, name: string, lines: ReadonlyArray<string>) => void

/** The input for a company of this type in this country. */
const asking = (options: PanelOptions, type: CompanyType, country: string, select: Select): HTMLElement => {
  const { countries, find, signal, words } = options
  if (type === "registered-company") {
    return companySearch({
      words,
      signal,
      find: (text, ended) => find(country, text, ended),
      onSelect: (one) => select({ ...one, type }, one.name, details(one, words))
    })
  }
  const onSelect = (trader: Trader) =>
    select({ ...trader, type }, trader["trading_name"] ?? "", [
      trader["proprietor_name"] ?? "",
      trader["trading_address_city"] ?? ""
    ])
  return soleTrader({ words, countries, country, onSelect })
}

const countryField = (
  { countries, words }: PanelOptions,
  country: string | undefined,
  onChange: (code: string) => void
) => {
  const select = countrySelect(countries, country, { id: "country", autocomplete: "off" })
  if (country === undefined)
    select.prepend(h("option", { value: "", selected: true, disabled: true }, words.chooseCountry))
  select.addEventListener("change", () => onChange(select.value))
  return h("div", { class: "field" }, h("label", { for: "country" }, words.country), select)
}

export const companyPanel = (options: PanelOptions): HTMLElement => {
  const { company, onCountry, onSelection, onType, words } = options
  let { country } = options
  let type: CompanyType = "registered-company"
  let selected = company !== undefined
  const body = h("div")
  const status = announcer("status", true)

  /** Moves the focus as well, unless the company was preselected. */
  const showChosen = (name: string, lines: ReadonlyArray<string>, moveFocus: boolean) => {
    const change = h("button", { type: "button", class: "secondary", onclick: changed }, words.change)
    body.replaceChildren(chosenOf(words, name, lines, change))
    if (!moveFocus) return
    status.textContent = fill(words.selectedName, { name })
    change.focus()
  }

  const select: Select = (selection, name, lines) => {
    selected = true
    showChosen(name, lines, true)
    onSelection(selection)
  }

  const ask = () => body.replaceChildren(...(country === undefined ? [] : [asking(options, type, country, select)]))

  const clear = () => {
    status.textContent = ""
    ask()
    if (!selected) return
    selected = false
    onSelection(null)
  }

  const changed = () => {
    clear()
    body.querySelector<HTMLElement>("input")?.focus()
  }

  const types = [
    { value: "registered-company", label: words.registeredCompany },
    { value: "sole-trader", label: words.soleTrader }
  ]
  const onTypeChosen = (chosen: string) => {
    type = chosen as CompanyType
    onType(type)
    clear()
  }
  const onCountryChosen = (code: string) => {
    country = code
    onCountry(code)
    clear()
  }
  if (company === undefined) ask()
  else showChosen(company.name, details(company, words), false)
  const kinds = radios(words.companyType, "type", types, type, onTypeChosen)
  return h("div", { class: "panel" }, kinds, countryField(options, country, onCountryChosen), body, status)
}
