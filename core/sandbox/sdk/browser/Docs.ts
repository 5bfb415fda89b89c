/**
 * Builds the page `/docs/checkout`: each element with its options, its methods as buttons, the equivalent code, and every event
 * that it reports. Offers and intents are the sandbox's own, so that trying them changes nothing else.
 */
import css from "./docs.css"
import { h } from "./Dom.ts"
import type { Element } from "./Element.ts"

interface Option {
  readonly name: string
  readonly kind: "text" | "list" | "flag" | "choice"
  readonly hint: string
  readonly value?: string
  readonly choices?: ReadonlyArray<string>
}

interface Playground {
  readonly name: "companySearch" | "checkout"
  readonly about: string
  /** Inputs that are not options of the element, but from which options are made. */
  readonly given: ReadonlyArray<Option>
  readonly options: ReadonlyArray<Option>
  readonly events: ReadonlyArray<string>
  readonly prepare: (options: Record<string, unknown>, given: Record<string, unknown>) => Promise<void>
}

const publicKey = document.querySelector<HTMLScriptElement>("script[data-public-key]")?.dataset["publicKey"] ?? ""

const made = async (what: string, query: Record<string, unknown>): Promise<Record<string, unknown>> => {
  const answer = await fetch(`/docs/checkout/${what}?${new URLSearchParams(query as Record<string, string>)}`, {
    method: "POST"
  })
  return answer.json()
}

const SEARCH: Playground = {
  name: "companySearch",
  about: "Which company the buyer is. Try Harbour, Brightwater, 10000002, or a sole trader.",
  given: [],
  options: [
    { name: "companyId", kind: "text", hint: "A company that is chosen beforehand, like co-1000." },
    { name: "country", kind: "text", value: "GB", hint: "The country to begin with." },
    {
      name: "countryOptions",
      kind: "list",
      value: "GB, FR, DE, NL",
      hint: "The countries to choose from; all, when empty."
    }
  ],
  events: ["ready", "failure", "countryInputChange", "companyTypeInputChange", "companySelection"],
  prepare: async () => {}
}

const CHECKOUT: Playground = {
  name: "checkout",
  about: "When and how the buyer pays, for an order of 396.00 GBP that create makes each time.",
  given: [
    {
      name: "workflow",
      kind: "choice",
      choices: ["paymentOffer", "intent"],
      hint: "An offer for a known company, or an intent whose buyer says in the element who it is."
    },
    {
      name: "company",
      kind: "text",
      value: "co-1000",
      hint: "Of an offer: co-1000 to co-1005 are offered plans, co-2000 and those that follow are declined."
    },
    {
      name: "locale",
      kind: "choice",
      choices: ["en-gb", "de-de", "fr-fr", "es-es", "it-it", "nl-nl"],
      hint: "Its language."
    }
  ],
  options: [
    { name: "paymentPlanId", kind: "flag", hint: "The first plan of the offer, chosen beforehand." },
    { name: "hidePaymentPlanName", kind: "flag", hint: "Needs paymentPlanId." },
    { name: "buttonlessSubmission", kind: "flag", hint: "No button: confirmOrder() submits." },
    { name: "headless", kind: "flag", hint: "No UI: confirmOrder() pays by invoice. Needs paymentPlanId." }
  ],
  events: ["ready", "success", "failure", "rejected", "formState"],
  prepare: async (options, { company, locale, workflow }) => {
    if (workflow === "intent") options["intent"] = await made("intent", { locale })
    else options["paymentOffer"] = await made("offer", { company, locale })
    if (options["paymentPlanId"] === undefined) return
    const offer = options["paymentOffer"] as { offered_payment_plans: ReadonlyArray<{ id: string }> } | undefined
    options["paymentPlanId"] = offer?.offered_payment_plans[0]?.id ?? "ppln-of-no-offer"
  }
}

/** A payload in one line; an offer or intent is shortened to its id. */
const short = (value: unknown): string => {
  const text = JSON.stringify(value, (_, one) =>
    one?.offered_payment_plans !== undefined || one?.payment_url !== undefined ? one.id : one
  )
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

const control = (id: string, { choices = [], hint, kind, name, value = "" }: Option) => {
  const about = { id, "aria-describedby": `${id}-hint` }
  const input =
    kind === "choice"
      ? h("select", about, ...choices.map((one) => h("option", {}, one)))
      : h("input", { ...about, type: kind === "flag" ? "checkbox" : "text", value, spellcheck: "false" })
  const label = h("label", { for: id }, name)
  const note = h("p", { class: "hint", id: `${id}-hint` }, hint)
  const node =
    kind === "flag"
      ? h("div", { class: "option" }, h("div", { class: "flag" }, input, label), note)
      : h("div", { class: "option" }, label, input, note)
  const read = (): unknown => {
    if (kind === "flag") return (input as HTMLInputElement).checked || undefined
    const text = input.value.trim()
    if (text === "") return undefined
    return kind === "list" ? text.split(/[\s,]+/) : text
  }
  return { name, node, read }
}

const codeOf = (name: string, options: Record<string, unknown>): string => {
  const members = Object.entries(options).map(([key, value]) =>
    key === "paymentOffer" || key === "intent" ? `  ${key}` : `  ${key}: ${JSON.stringify(value)}`
  )
  const given = members.length === 0 ? "" : `, {\n${members.join(",\n")}\n}`
  const required =
    name === "checkout"
      ? `element.on("success", () => …)\nelement.on("failure", ({ message }) => …)\n`
      : `element.on("companySelection", (company) => …)\n`
  return `const elements = DeferredPayment("${publicKey}").elements()\nconst element = elements.create("${name}"${given})\n${required}element.mount("#${name}")`
}

const layout = (
  name: string,
  about: string,
  options: ReadonlyArray<HTMLElement>,
  log: HTMLElement,
  code: HTMLElement
): HTMLElement =>
  h(
    "section",
    { "aria-labelledby": `${name}-title` },
    h("h2", { id: `${name}-title` }, name),
    h("p", { class: "hint" }, about),
    h(
      "div",
      { class: "columns" },
      h("div", { class: "options" }, ...options),
      h("div", {}, h("div", { id: name }), h("h3", {}, "Events"), log, h("h3", {}, "Code"), code)
    )
  )

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one form of the page: its fields and what each does to the others
const playground = ({ about, events, given, name, options, prepare }: Playground): HTMLElement => {
  if (window.DeferredPayment === undefined) throw new Error("The SDK is not on this page.")
  const elements = window.DeferredPayment(publicKey).elements()
  const controls = [...given, ...options].map((option) => ({
    given: given.includes(option),
    ...control(`${name}-${option.name}`, option)
  }))
  const lines = h("ol")
  const log = h("div", { role: "log", class: "log", "aria-label": `Events of ${name}`, tabindex: "0" }, lines)
  const code = h("pre", { tabindex: "0", "aria-label": `Code of ${name}` })

  const say = (line: string) => {
    lines.append(h("li", {}, line))
    log.scrollTop = log.scrollHeight
  }

  const readAll = async () => {
    const read = (which: boolean) =>
      Object.fromEntries(
        controls
          .filter((one) => one.given === which)
          .flatMap(({ name, read }) => (read() === undefined ? [] : [[name, read()]]))
      )
    const found: Record<string, unknown> = read(false)
    await prepare(found, read(true))
    code.textContent = codeOf(name, found)
    return found
  }

  const element = (): Element => {
    const found = elements.getElement(name)
    if (found === null) throw new Error(`There is no ${name}; create makes one.`)
    return found
  }

  const create = async () => {
    elements.getElement(name)?.destroy()
    const made = elements.create(name, await readAll())
    for (const event of events) {
      made.on(event, (payload) => say(payload === undefined ? event : `${event} ${short(payload)}`))
    }
    made.mount(`#${name}`)
  }

  const acts: Readonly<Record<string, () => unknown>> = {
    "create and mount": create,
    update: async () => element().update(await readAll()),
    unmount: () => element().unmount(),
    mount: () => element().mount(`#${name}`),
    destroy: () => element().destroy(),
    ...(name === "checkout" ? { confirmOrder: () => element().confirmOrder?.() } : {})
  }

  const run = async (act: () => unknown) => {
    try {
      await act()
    } catch (cause) {
      say(String(cause))
    }
  }

  const buttons = Object.entries(acts).map(([label, act]) =>
    h("button", { type: "button", onclick: () => void run(act) }, label)
  )
  setTimeout(() => void run(create))
  const fields = controls.map(({ node }) => node)
  return layout(name, about, [...fields, h("div", { class: "buttons" }, ...buttons)], log, code)
}

const sheet = new CSSStyleSheet()
sheet.replaceSync(css)
document.adoptedStyleSheets = [sheet]
document.body.replaceChildren(
  h(
    "main",
    {},
    h("h1", {}, "Checkout elements"),
    h(
      "p",
      {},
      "Each element as a shop's page has it: choose options, call methods, see what it reports. Nothing here touches what was made with your own keys. Endpoints: ",
      h("a", { href: "/docs" }, "the service's interface"),
      "."
    ),
    playground(SEARCH),
    playground(CHECKOUT)
  )
)
