/**
 * The payment frame: everything that the buyer sees of the checkout element, on the payment host's own origin. It reads
 * what can be chosen from the service, and takes nothing of it from the page around it.
 */
import type { CompanyType, Selection } from "./CompanyPanel.ts"
import type { Company } from "./CompanySearch.ts"
import { announcer, h, type Words } from "./Dom.ts"
import { styles } from "./Element.ts"
import { countries } from "./Format.ts"
import { type PlanForm, planForm } from "./PlanForm.ts"
import {
  type Choice,
  type FromFrame,
  offered,
  type Outcome,
  type Reference,
  rejection,
  type Start,
  type Submission,
  type ToFrame
} from "./Protocol.ts"
import { failureOf, Session, warn } from "./Session.ts"
import { isRefused, submit } from "./Submit.ts"

const never = new AbortController().signal

const frame = (start: Start, port: MessagePort): void => {
  const { buttonless, hideName, language, plan: only, region, tag } = start
  const session = new Session(start.publicKey, `${location.origin}/frame/v1`, { language, region, tag })
  const tell = (message: FromFrame) => port.postMessage(message)
  const emit = (name: string, payload?: unknown) => tell({ type: "event", name, payload })
  const fail = (cause: unknown) => tell({ type: "failure", ...failureOf(cause) })
  const body = h("section", { lang: language, class: "frame-body" })
  let form: PlanForm | undefined
  let ready = false
  let state: boolean | undefined

  const onState = (isReadyToSubmit: boolean) => {
    if (buttonless && ready && state !== isReadyToSubmit) emit("formState", { isReadyToSubmit })
    state = isReadyToSubmit
  }

  const say = (into: HTMLElement, text: string, role: "status" | "alert"): HTMLElement => {
    const line = announcer(role)
    into.replaceChildren(line)
    // What a screen reader reads out is what changes in a place that is there already.
    setTimeout(() => void (line.textContent = text), 50)
    return line
  }

  /** One name per choice: sent again it is the same submission, and with another choice another one. */
  const names = new Map<string, string>()
  const nameOf = (submission: Submission): string => {
    const key = JSON.stringify(submission)
    const name = names.get(key) ?? crypto.randomUUID()
    names.set(key, name)
    return name
  }

  const done = (words: Words, outcome: Outcome) => {
    form = undefined
    onState(false)
    const refused = isRefused(outcome)
    const said = refused
      ? words.refused
      : outcome.deferred_payment.status === "accepted"
        ? words.confirmed
        : words.checking
    const line = say(body, said, refused ? "alert" : "status")
    // The button that had the focus is gone.
    line.tabIndex = -1
    line.focus()
    emit(refused ? "rejected" : "success", outcome)
  }

  const show = (into: HTMLElement, words: Words, choice: Choice, reference: Reference) => {
    const plans = offered(choice.plans!, only)
    if (plans.length === 0) {
      form = undefined
      onState(false)
      say(into, words.declined, "alert")
      return emit("rejected", rejection(choice.plans!))
    }
    const onSubmit = async (submission: Submission): Promise<string | undefined> => {
      try {
        done(words, await submit(session, reference, submission, nameOf(submission), never))
        return undefined
      } catch (cause) {
        const { code } = failureOf(cause)
        const final = code === "expired" ? words.expired : code === "already_paid" ? words.alreadyPaid : undefined
        if (final === undefined) return words.failed
        // Nothing more can come of this offer.
        form = undefined
        say(body, final, "alert")
        emit("failure", failureOf(cause))
        return final
      }
    }
    form = planForm({
      words,
      tag,
      choice,
      plans,
      preselected: only !== undefined,
      hideName,
      buttonless,
      onState,
      onSubmit
    })
    into.replaceChildren(form.node)
    onState(false)
  }

  /** The buyer says who it is, and what its company is offered comes below. */
  const showIntent = async (
    words: Words,
    choice: Choice,
    intent: { readonly intent: string; readonly key: string }
  ) => {
    // Only an intent needs it: who comes with an offer does not wait for it.
    const { companyPanel } = await import("./CompanyPanel.ts")
    const below = h("div")
    let chosen = new AbortController()
    const onSelection = async (selection: Selection | null) => {
      chosen.abort()
      chosen = new AbortController()
      const { signal } = chosen
      form = undefined
      onState(false)
      if (selection === null) return below.replaceChildren()
      const { type, ...rest } = selection
      const buyer = type === "sole-trader" ? { sole_trader: rest } : { company: selection["id" as keyof Selection] }
      say(below, words.loading, "status")
      try {
        const made = await session.post<Choice & { readonly offer: string; readonly key: string }>(
          "buyer",
          { ...intent, ...buyer },
          signal
        )
        show(below, words, made, { offer: made.offer, key: made.key })
      } catch {
        if (!signal.aborted) say(below, words.failed, "alert")
      }
    }
    const codes = choice.countries!
    const panel = companyPanel({
      words,
      countries: countries(codes, tag),
      country: codes.includes(region) ? region : undefined,
      signal: never,
      find: async (country, q, signal) =>
        (await session.get<{ readonly matches: ReadonlyArray<Company> }>("companies", { country, q }, signal)).matches,
      onCountry: () => {},
      onType: (_: CompanyType) => {},
      onSelection: (selection) => void onSelection(selection)
    })
    body.replaceChildren(panel, below)
    onState(false)
  }

  const begin = async () => {
    document.documentElement.lang = language
    document.documentElement.style.colorScheme = start.scheme
    document.adoptedStyleSheets = [styles()]
    const { reference } = start
    const [words, choice] = await Promise.all([
      session.words(never),
      session.post<Choice>("choice", { ...reference }, never)
    ])
    document.title = words.frameTitle
    body.setAttribute("aria-label", words.frameTitle)
    tell({ type: "title", title: words.frameTitle })
    if ("intent" in reference) await showIntent(words, choice, reference)
    else show(body, words, choice, reference)
    document.body.append(body)
    // A frame that is scrolled out of sight is not laid out by itself, so every change asks for its height.
    let last = 0
    const measure = () => {
      const height = Math.ceil(body.getBoundingClientRect().height)
      if (height !== last) tell({ type: "height", height: (last = height) })
    }
    new ResizeObserver(measure).observe(body)
    new MutationObserver(measure).observe(body, {
      attributes: true,
      characterData: true,
      childList: true,
      subtree: true
    })
    measure()
    ready = true
    emit("ready")
    if (buttonless) emit("formState", { isReadyToSubmit: state === true })
  }

  port.onmessage = ({ data }: MessageEvent<ToFrame>) => {
    if (data.type !== "confirm") return
    if (form !== undefined) form.confirm()
    else warn("checkout: there is nothing to confirm: no company is chosen yet, or it is confirmed already.")
  }
  begin().catch(fail)
}

/** The first message of the page around is the start; it brings the channel along. */
const first = ({ data, ports: [port], source }: MessageEvent<Start>): void => {
  if (source !== window.parent || port === undefined) return
  window.removeEventListener("message", first)
  frame(data, port)
}
window.addEventListener("message", first)
