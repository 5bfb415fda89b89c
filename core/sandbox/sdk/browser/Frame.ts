/**
 * The payment frame: everything that the buyer sees of the checkout element, on the payment host's own origin. It reads the
 * choices from the service, and takes none of them from the surrounding page.
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

/** What all parts of one frame share. */
interface Scene {
  readonly start: Start
  readonly session: Session
  readonly body: HTMLElement
  readonly send: (message: FromFrame) => void
  readonly emit: (name: string, payload?: unknown) => void
  /** Reports whether the buyer can submit, if the surrounding page has its own button. */
  readonly onState: (isReadyToSubmit: boolean) => void
  /** The name of a submission: equal for the same choice sent again, different for another choice. */
  readonly nameOf: (submission: Submission) => string
  /** The form that can be confirmed, while there is one. */
  form: PlanForm | undefined
}

const sceneOf = (start: Start, port: MessagePort): Scene & { readonly begun: () => void } => {
  const { buttonless, language, region, tag } = start
  const send = (message: FromFrame) => port.postMessage(message)
  const emit = (name: string, payload?: unknown) => send({ type: "event", name, payload })
  const names = new Map<string, string>()
  let ready = false
  let state: boolean | undefined
  return {
    start,
    session: new Session(start.publicKey, `${location.origin}/frame/v1`, { language, region, tag }),
    body: h("section", { lang: language, class: "frame-body" }),
    send,
    emit,
    onState: (isReadyToSubmit) => {
      if (buttonless && ready && state !== isReadyToSubmit) emit("formState", { isReadyToSubmit })
      state = isReadyToSubmit
    },
    nameOf: (submission) => {
      const key = JSON.stringify(submission)
      const name = names.get(key) ?? crypto.randomUUID()
      names.set(key, name)
      return name
    },
    form: undefined,
    begun: () => {
      ready = true
      emit("ready")
      if (buttonless) emit("formState", { isReadyToSubmit: state === true })
    }
  }
}

const say = (into: HTMLElement, text: string, role: "status" | "alert"): HTMLElement => {
  const line = announcer(role)
  into.replaceChildren(line)
  // Screen readers announce changes in an existing node only.
  setTimeout(() => void (line.textContent = text), 50)
  return line
}

const done = (scene: Scene, words: Words, outcome: Outcome): void => {
  scene.form = undefined
  scene.onState(false)
  const refused = isRefused(outcome)
  const said = refused
    ? words.refused
    : outcome.deferred_payment.status === "accepted"
      ? words.confirmed
      : words.checking
  const line = say(scene.body, said, refused ? "alert" : "status")
  // The button that had the focus is gone.
  line.tabIndex = -1
  line.focus()
  scene.emit(refused ? "rejected" : "success", outcome)
}

/** Sends the buyer's choice; returns the message to the buyer if that failed. */
const submitting =
  (scene: Scene, words: Words, reference: Reference) =>
  async (submission: Submission): Promise<string | undefined> => {
    try {
      done(scene, words, await submit(scene.session, reference, submission, scene.nameOf(submission), never))
      return undefined
    } catch (cause) {
      const { code } = failureOf(cause)
      const final = code === "expired" ? words.expired : code === "already_paid" ? words.alreadyPaid : undefined
      if (final === undefined) return words.failed
      // This offer can no longer be submitted.
      scene.form = undefined
      say(scene.body, final, "alert")
      scene.emit("failure", failureOf(cause))
      return final
    }
  }

const show = (scene: Scene, into: HTMLElement, words: Words, choice: Choice, reference: Reference): void => {
  const { buttonless, hideName, plan: only, tag } = scene.start
  const plans = offered(choice.plans ?? [], only)
  if (plans.length === 0) {
    scene.form = undefined
    scene.onState(false)
    say(into, words.declined, "alert")
    return scene.emit("rejected", rejection(choice.plans ?? []))
  }
  scene.form = planForm({
    words,
    tag,
    choice,
    plans,
    preselected: only !== undefined,
    hideName,
    buttonless,
    onState: scene.onState,
    onSubmit: submitting(scene, words, reference)
  })
  into.replaceChildren(scene.form.node)
  scene.onState(false)
}

interface Intent {
  readonly intent: string
  readonly key: string
}

/** Shows, below the company panel, what the chosen company is offered. */
const offering = (scene: Scene, below: HTMLElement, words: Words, intent: Intent) => {
  let chosen = new AbortController()
  return async (selection: Selection | null): Promise<void> => {
    chosen.abort()
    chosen = new AbortController()
    const { signal } = chosen
    scene.form = undefined
    scene.onState(false)
    if (selection === null) return below.replaceChildren()
    const { type, ...rest } = selection
    const buyer = type === "sole-trader" ? { sole_trader: rest } : { company: selection["id" as keyof Selection] }
    say(below, words.loading, "status")
    try {
      type Made = Choice & { readonly offer: string; readonly key: string }
      const made = await scene.session.post<Made>("buyer", { ...intent, ...buyer }, signal)
      show(scene, below, words, made, { offer: made.offer, key: made.key })
    } catch {
      if (!signal.aborted) say(below, words.failed, "alert")
    }
  }
}

/** Shows the company panel of an intent; what the company is offered is shown below. */
const showIntent = async (scene: Scene, words: Words, choice: Choice, intent: Intent): Promise<void> => {
  // Loaded only for intents, so that offers need not wait for it.
  const { companyPanel } = await import("./CompanyPanel.ts")
  const { region, tag } = scene.start
  const below = h("div")
  const onSelection = offering(scene, below, words, intent)
  const codes = choice.countries ?? []
  type Found = { readonly matches: ReadonlyArray<Company> }
  const panel = companyPanel({
    words,
    countries: countries(codes, tag),
    country: codes.includes(region) ? region : undefined,
    signal: never,
    find: async (country, q, signal) => (await scene.session.get<Found>("companies", { country, q }, signal)).matches,
    onCountry: () => {},
    onType: (_: CompanyType) => {},
    onSelection: (selection) => void onSelection(selection)
  })
  scene.body.replaceChildren(panel, below)
  scene.onState(false)
}

/** A frame that is scrolled out of view is not laid out on its own, so every change reports its height. */
const watchHeight = ({ body, send }: Scene): void => {
  let last = 0
  const measure = () => {
    const height = Math.ceil(body.getBoundingClientRect().height)
    if (height !== last) send({ type: "height", height: (last = height) })
  }
  new ResizeObserver(measure).observe(body)
  new MutationObserver(measure).observe(body, { attributes: true, characterData: true, childList: true, subtree: true })
  measure()
}

const begin = async (scene: Scene): Promise<void> => {
  const { body, session, start, send } = scene
  document.documentElement.lang = start.language
  document.documentElement.style.colorScheme = start.scheme
  document.adoptedStyleSheets = [styles()]
  const { reference } = start
  const [words, choice] = await Promise.all([
    session.words(never),
    session.post<Choice>("choice", { ...reference }, never)
  ])
  document.title = words.frameTitle
  body.setAttribute("aria-label", words.frameTitle)
  send({ type: "title", title: words.frameTitle })
  if ("intent" in reference) await showIntent(scene, words, choice, reference)
  else show(scene, body, words, choice, reference)
  document.body.append(body)
  watchHeight(scene)
}

const frame = (start: Start, port: MessagePort): void => {
  const scene = sceneOf(start, port)
  port.onmessage = ({ data }: MessageEvent<ToFrame>) => {
    if (data.type !== "confirm") return
    if (scene.form !== undefined) scene.form.confirm()
    else warn("checkout: there is nothing to confirm: no company is chosen yet, or it is confirmed already.")
  }
  begin(scene)
    .then(scene.begun)
    .catch((cause) => scene.send({ type: "failure", ...failureOf(cause) }))
}

/** The first message from the surrounding page starts the frame, and brings the message port. */
const first = ({ data, ports: [port], source }: MessageEvent<Start>): void => {
  if (source !== window.parent || port === undefined) return
  window.removeEventListener("message", first)
  frame(data, port)
}
window.addEventListener("message", first)
