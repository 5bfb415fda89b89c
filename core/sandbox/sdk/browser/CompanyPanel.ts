/**
 * Who buys: the company's kind, its country, and then the company itself, found by search or described. The page's
 * element shows it, and the payment frame for an intent.
 */
import { type Company, companySearch, details } from "./CompanySearch.ts"
import { announcer, fill, h, radios, type Words } from "./Dom.ts"
import type { Country } from "./Format.ts"
import { countrySelect, soleTrader, type Trader } from "./SoleTrader.ts"

export type CompanyType = "registered-company" | "sole-trader"

/** What `companySelection` carries (DP 6.2). */
export type Selection = (Company | Trader) & { readonly type: CompanyType }

export interface PanelOptions {
  readonly words: Words
  readonly countries: ReadonlyArray<Country>
  readonly country: string | undefined
  /** Chosen beforehand. */
  readonly company?: Company | undefined
  readonly signal: AbortSignal
  readonly find: (country: string, text: string, signal: AbortSignal) => Promise<ReadonlyArray<Company>>
  readonly onCountry: (code: string) => void
  readonly onType: (type: CompanyType) => void
  readonly onSelection: (selection: Selection | null) => void
}

export const companyPanel = (options: PanelOptions): HTMLElement => {
  const { company, countries, find, onCountry, onSelection, onType, signal, words } = options
  let { country } = options
  let type: CompanyType = "registered-company"
  let selected = company !== undefined
  const body = h("div")
  const status = announcer("status", true)

  const changed = () => {
    clear()
    focusFirst()
  }

  /** The chosen company in place of the search; the focus goes along, unless nobody has chosen it here. */
  const showChosen = (name: string, lines: ReadonlyArray<string>, moveFocus: boolean) => {
    const change = h("button", { type: "button", class: "secondary", onclick: changed }, words.change)
    body.replaceChildren(
      h(
        "div",
        { class: "chosen", role: "group", "aria-label": words.selected },
        h("div", {}, h("span", { class: "label" }, name), ...lines.map((line) => h("span", { class: "more" }, line))),
        change
      )
    )
    if (!moveFocus) return
    status.textContent = fill(words.selectedName, { name })
    change.focus()
  }

  const select = (selection: Selection, name: string, lines: ReadonlyArray<string>) => {
    selected = true
    showChosen(name, lines, true)
    onSelection(selection)
  }

  const ask = () => {
    if (country === undefined) return body.replaceChildren()
    const at = country
    body.replaceChildren(
      type === "sole-trader"
        ? soleTrader({
            words,
            countries,
            country: at,
            onSelect: (trader) =>
              select({ ...trader, type: "sole-trader" }, trader["trading_name"]!, [
                trader["proprietor_name"]!,
                trader["trading_address_city"]!
              ])
          })
        : companySearch({
            words,
            signal,
            find: (text, ended) => find(at, text, ended),
            onSelect: (one) => select({ ...one, type: "registered-company" }, one.name, details(one, words))
          })
    )
  }

  const focusFirst = () => body.querySelector<HTMLElement>("input")?.focus()

  const clear = () => {
    status.textContent = ""
    ask()
    if (!selected) return
    selected = false
    onSelection(null)
  }

  const types = [
    { value: "registered-company", label: words.registeredCompany },
    { value: "sole-trader", label: words.soleTrader }
  ]
  const select_ = countrySelect(countries, country, { id: "country", autocomplete: "off" })
  if (country === undefined)
    select_.prepend(h("option", { value: "", selected: true, disabled: true }, words.chooseCountry))
  select_.addEventListener("change", () => {
    country = select_.value
    onCountry(country)
    clear()
  })
  if (company === undefined) ask()
  else showChosen(company.name, details(company, words), false)
  return h(
    "div",
    { class: "panel" },
    radios(words.companyType, "type", types, type, (chosen) => {
      type = chosen as CompanyType
      onType(type)
      clear()
    }),
    h("div", { class: "field" }, h("label", { for: "country" }, words.country), select_),
    body,
    status
  )
}
