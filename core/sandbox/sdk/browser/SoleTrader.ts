/**
 * Asks a sole trader to describe itself (DP 2.3), because no register lists it. The form has the members that the service
 * requires, without those that the platform provides.
 */
import { announcer, h, type Word, type Words } from "./Dom.ts"
import type { Country } from "./Format.ts"

/** Members of DP 2.3, without `owner` and `unique_id`. */
export type Trader = Readonly<Record<string, string>>

interface Field {
  readonly name: string
  readonly word: Word
  /** The autocomplete hint for browsers. */
  readonly autocomplete: string
  readonly type?: "text" | "date" | "country"
  readonly optional?: true
}

const TRADING: ReadonlyArray<Field> = [
  { name: "trading_name", word: "tradingName", autocomplete: "organization" },
  { name: "vat_number", word: "vatNumber", autocomplete: "off", optional: true },
  { name: "trading_address", word: "street", autocomplete: "section-business address-line1" },
  { name: "trading_address_postcode", word: "postcode", autocomplete: "section-business postal-code" },
  { name: "trading_address_city", word: "city", autocomplete: "section-business address-level2" }
]

const PROPRIETOR: ReadonlyArray<Field> = [
  { name: "proprietor_name", word: "fullName", autocomplete: "name" },
  { name: "date_of_birth", word: "born", autocomplete: "bday", type: "date" },
  { name: "proprietor_address_line1", word: "line1", autocomplete: "section-owner address-line1" },
  { name: "proprietor_address_line2", word: "line2", autocomplete: "section-owner address-line2" },
  { name: "proprietor_address_line3", word: "line3", autocomplete: "section-owner address-line3", optional: true },
  { name: "proprietor_address_postcode", word: "postcode", autocomplete: "section-owner postal-code" },
  { name: "proprietor_address_city", word: "city", autocomplete: "section-owner address-level2" },
  { name: "proprietor_address_country", word: "country", autocomplete: "section-owner country", type: "country" }
]

export interface TraderOptions {
  readonly words: Words
  readonly countries: ReadonlyArray<Country>
  /** The country in which it trades. */
  readonly country: string
  readonly onSelect: (trader: Trader) => void
}

type Input = HTMLInputElement | HTMLSelectElement

export const countrySelect = (
  countries: ReadonlyArray<Country>,
  chosen: string | undefined,
  attributes: Readonly<Record<string, unknown>>
): HTMLSelectElement =>
  h(
    "select",
    attributes,
    ...countries.map(({ code, name }) => h("option", { value: code, selected: code === chosen }, name))
  )

export const soleTrader = ({ countries, country, onSelect, words }: TraderOptions): HTMLElement => {
  const inputs = new Map<Field, Input>()
  const errors = new Map<Field, HTMLElement>()
  const alert = announcer("alert")

  const fieldOf = (field: Field): HTMLElement => {
    const { autocomplete, name, optional, type = "text", word } = field
    const attributes = { id: name, autocomplete, required: optional !== true, "aria-describedby": `${name}-error` }
    const input =
      type === "country"
        ? countrySelect(countries, country, attributes)
        : h("input", { ...attributes, type, ...(type === "date" ? { min: "1900-01-01" } : {}) })
    const error = h("p", { id: `${name}-error`, class: "error" })
    inputs.set(field, input)
    errors.set(field, error)
    return h("div", { class: "field" }, h("label", { for: name }, words[word]), input, error)
  }

  const problem = ({ optional, type }: Field, input: Input): string =>
    input.value.trim() === "" && optional !== true
      ? words.required
      : type === "date" && !input.checkValidity()
        ? words.dateInvalid
        : ""

  const submit = (event: Event) => {
    event.preventDefault()
    let first: Input | undefined
    for (const [field, input] of inputs) {
      const why = problem(field, input)
      const error = errors.get(field)
      if (error !== undefined) error.textContent = why
      input.setAttribute("aria-invalid", String(why !== ""))
      if (why !== "") first ??= input
    }
    alert.textContent = first === undefined ? "" : words.incomplete
    if (first !== undefined) return first.focus()
    const members = [...inputs].map(([{ name }, { value }]) => [name, value.trim()] as const)
    onSelect({ ...Object.fromEntries(members.filter(([, value]) => value !== "")), trading_address_country: country })
  }

  return h(
    "form",
    { novalidate: true, onsubmit: submit },
    h("fieldset", { class: "fields" }, h("legend", {}, words.business), ...TRADING.map(fieldOf)),
    h("fieldset", { class: "fields" }, h("legend", {}, words.proprietor), ...PROPRIETOR.map(fieldOf)),
    alert,
    h("button", { type: "submit", class: "primary" }, words.useDetails)
  )
}
