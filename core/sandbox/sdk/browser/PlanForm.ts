/**
 * Asks when and how the buyer pays: the available plans, the methods of the chosen plan, what the buyer accepts by confirming,
 * and the button.
 */
import { announcer, fill, h, radios, type Words } from "./Dom.ts"
import { amount, day } from "./Format.ts"
import type { Choice, Plan, Submission } from "./Protocol.ts"

export interface PlanFormOptions {
  readonly words: Words
  readonly tag: string
  readonly choice: Choice
  readonly plans: ReadonlyArray<Plan>
  /** Whether the platform has chosen the plan. */
  readonly preselected: boolean
  readonly hideName: boolean
  readonly buttonless: boolean
  readonly onState: (isReadyToSubmit: boolean) => void
  /** Resolves to the message to the buyer if it failed, and to undefined if it succeeded. */
  readonly onSubmit: (submission: Submission) => Promise<string | undefined>
}

export interface PlanForm {
  readonly node: HTMLElement
  readonly confirm: () => void
}

const METHODS = { direct_debit: "directDebit", invoice: "invoice", card: "card" } as const

/** Describes plans: due dates, amounts and costs. */
const describing = ({ choice, hideName, tag, words }: PlanFormOptions) => {
  const money = (minor: number) => amount(minor, choice.order.currency, tag)
  const more = ({ customer_fee, scheduled_payments }: Plan): ReadonlyArray<string> => [
    ...scheduled_payments.map(({ amount, date }) => fill(words.dueOn, { amount: money(amount), date: day(date, tag) })),
    customer_fee.amount === 0 ? words.noFee : fill(words.fee, { amount: money(customer_fee.amount) })
  ]
  return {
    money,
    listed: (one: Plan) => ({ value: one.id, label: one.name, more: more(one) }),
    shown: (one: Plan) =>
      h(
        "div",
        { class: "card" },
        !hideName && h("span", { class: "label" }, one.name),
        ...more(one).map((line) => h("span", { class: "more" }, line))
      )
  }
}

/** The methods of a plan; `method` is the chosen one, or the only one. */
const methodsOf = (words: Words, plan: Plan, before: string | undefined, onChosen: (method: string) => void) => {
  const known = plan.payment_methods.filter((one): one is keyof typeof METHODS => Object.hasOwn(METHODS, one))
  const method = known.length === 1 ? known[0] : known.find((one) => one === before)
  const ways = known.map((one) => ({ value: one, label: words[METHODS[one]] }))
  return { method, node: radios(words.methods, "method", ways, method, onChosen) }
}

const legalOf = ({ choice, words }: PlanFormOptions): HTMLElement => {
  const [before = "", after = ""] = words.legal.split("{terms}")
  const terms = h("a", { href: choice.terms_url, target: "_blank", rel: "noopener" }, words.terms)
  return h("p", { class: "legal" }, before, terms, after)
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one form of the checkout: its parts and what each does to the others
export const planForm = (options: PlanFormOptions): PlanForm => {
  const { buttonless, choice, onState, onSubmit, plans, preselected, words } = options
  const { listed, money, shown } = describing(options)
  let plan: Plan | undefined = plans.length === 1 ? plans[0] : undefined
  let method: string | undefined
  let busy = false

  const methods = h("div")
  const alert = announcer("alert")
  const button = h("button", { type: "submit", class: "primary" }, words.confirm)

  const changed = () => {
    alert.textContent = ""
    onState(plan !== undefined && method !== undefined && !busy)
  }

  const showMethods = () => {
    if (plan === undefined) return methods.replaceChildren()
    const ways = methodsOf(words, plan, method, (chosen) => {
      method = chosen
      changed()
    })
    method = ways.method
    methods.replaceChildren(ways.node)
  }

  const choosePlan = (id: string) => {
    plan = plans.find((one) => one.id === id)
    showMethods()
    changed()
  }

  const confirm = async () => {
    if (busy) return
    if (plan === undefined || method === undefined) {
      alert.textContent = plan === undefined ? words.choosePlan : words.chooseMethod
      node.querySelector<HTMLElement>(plan === undefined ? "[name=plan]" : "[name=method]")?.focus()
      return onState(false)
    }
    busy = true
    changed()
    button.setAttribute("aria-disabled", "true")
    button.textContent = words.confirming
    const why = await onSubmit({ plan: plan.id, payment_method: method })
    busy = false
    if (why === undefined) return
    button.removeAttribute("aria-disabled")
    button.textContent = words.confirm
    changed()
    alert.textContent = why
  }

  const total = h("p", { class: "total" }, fill(words.total, { amount: money(choice.order.total_amount) }))
  const which = preselected
    ? plans.slice(0, 1).map(shown)
    : [radios(words.plans, "plan", plans.map(listed), plan?.id, choosePlan)]
  const attributes = {
    novalidate: true,
    onsubmit: (event: Event) => {
      event.preventDefault()
      void confirm()
    }
  }
  const node = h("form", attributes, total, ...which, methods, legalOf(options), alert, !buttonless && button)
  showMethods()
  return { node, confirm: () => void confirm() }
}
