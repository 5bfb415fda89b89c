/**
 * What both elements are (DP 6.3): made with options, bound to handlers, mounted into a page, taken out with everything
 * kept or with nothing kept, and shown anew with other options.
 */
import { type Failure, failureOf, type Session, warn } from "./Session.ts"
import style from "./style.css"

/** A mistake in how a page uses the SDK, thrown where it is made. */
export class IntegrationError extends Error {
  override readonly name = "IntegrationError"
}

/** One showing of an element: between a mount or an update and what ends it. */
export interface Place {
  readonly root: ShadowRoot
  readonly session: Session
  /** Aborted when this showing ends. */
  readonly signal: AbortSignal
  readonly emit: (event: string, payload?: unknown) => void
  /** Nothing more can come of it: takes away what is shown, and says why. */
  readonly fail: (cause: unknown) => void
  /** What `confirmOrder` does; undefined while nothing can be confirmed. */
  confirm?: () => void
}

export interface Kind<O extends object> {
  readonly name: string
  readonly options: ReadonlyArray<keyof O & string>
  readonly events: ReadonlyArray<string>
  /** Events without a handler for which nothing is mounted. */
  readonly required: ReadonlyArray<string>
  /** Throws an `IntegrationError` when these cannot be shown. */
  readonly check: (options: O) => void
  /** Options after an update. */
  readonly merge: (before: O, given: O) => O
  readonly show: (place: Place, options: O) => Promise<void>
}

export interface Element {
  readonly on: (event: string, handler: (payload: unknown) => void) => void
  readonly mount: (selector: string) => void
  readonly unmount: () => void
  readonly destroy: () => void
  readonly update: (options: object) => void
  readonly confirmOrder?: () => void
}

/** The style of all elements: made by script, it needs no permission of the page's policy. */
export const styles = (): CSSStyleSheet => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  return sheet
}

const find = (selector: unknown, mistake: (why: string) => IntegrationError): HTMLElement => {
  if (typeof selector !== "string") throw mistake('mount takes a CSS selector, like "#checkout".')
  let found: HTMLElement | null
  try {
    found = document.querySelector<HTMLElement>(selector)
  } catch {
    throw mistake(`"${selector}" is not a CSS selector.`)
  }
  if (found === null) throw mistake(`nothing on this page matches "${selector}". Call mount after it is there.`)
  return found
}

type Mistake = (why: string) => IntegrationError

/** Handlers by event, and how they are called. */
const bindings = (name: string, events: ReadonlyArray<string>, mistake: Mistake) => {
  const handlers = new Map<string, Array<(payload: unknown) => void>>()
  let announced = false
  return {
    handlers,
    /** It is mounted anew: it will be ready once more. */
    renew: () => {
      announced = false
    },
    bind: (event: string, handler: (payload: unknown) => void, late: boolean) => {
      if (!events.includes(event)) throw mistake(`there is no event "${event}"; there are ${events.join(", ")}.`)
      if (typeof handler !== "function") throw mistake(`the handler of "${event}" is not a function.`)
      if (late) {
        warn(`${name}: "${event}" is bound after mount. Bind before it: an event that has fired does not come again.`)
      }
      handlers.set(event, [...(handlers.get(event) ?? []), handler])
    },
    emit: (signal: AbortSignal, event: string, payload?: unknown) => {
      if (signal.aborted) return
      if (event === "ready") {
        if (announced) return
        announced = true
      }
      for (const handler of handlers.get(event) ?? []) {
        try {
          handler(payload)
        } catch (cause) {
          // One handler's mistake is not the next one's: it shows in the console like any other.
          reportError(cause)
        }
      }
    }
  }
}

const checked = <O extends object>(kind: Kind<O>, all: O): O => {
  for (const name of Object.keys(all)) {
    if (!(kind.options as ReadonlyArray<string>).includes(name)) warn(`${kind.name}: there is no option ${name}.`)
  }
  kind.check(all)
  return all
}

const boxIn = (target: HTMLElement) => {
  const element = document.createElement("div")
  const root = element.attachShadow({ mode: "open" })
  root.adoptedStyleSheets = [styles()]
  target.append(element)
  return { element, root }
}

/** What `confirmOrder` does, where it can. */
const confirmIn = (place: Place | undefined, mistake: Mistake): void => {
  if (place?.confirm === undefined) {
    throw mistake(
      "there is nothing to confirm. confirmOrder needs the option headless or buttonlessSubmission, and comes after ready."
    )
  }
  place.confirm()
}

interface Shown {
  readonly place: Place
  readonly life: AbortController
}

/** Shows the element in an empty root; what goes wrong ends this showing, and is reported. */
const appear = <O extends object>(
  kind: Kind<O>,
  session: Session,
  root: ShadowRoot,
  options: O,
  emit: (signal: AbortSignal, event: string, payload?: unknown) => void
): Shown => {
  const life = new AbortController()
  const { signal } = life
  root.replaceChildren()
  const fail = (cause: unknown) => {
    if (signal.aborted) return
    const failure: Failure = failureOf(cause)
    console.error(`[deferred payment] ${kind.name}: ${failure.message}`)
    root.replaceChildren()
    emit(signal, "failure", failure)
    life.abort()
  }
  const place: Place = { root, session, signal, fail, emit: (event, payload) => emit(signal, event, payload) }
  kind.show(place, options).catch(fail)
  return { place, life }
}

export const makeElement = <O extends object>(
  kind: Kind<O>,
  session: Session,
  given: O,
  onDestroy: () => void
): Element => {
  const mistake: Mistake = (why) => new IntegrationError(`${kind.name}: ${why}`)
  const { bind, emit, handlers, renew } = bindings(kind.name, kind.events, mistake)
  let options = checked(kind, given)
  let where = ""
  let box: { readonly element: HTMLElement; readonly root: ShadowRoot } | undefined
  let shown: Shown | undefined
  let destroyed = false

  const alive = () => {
    if (destroyed) throw mistake("it was destroyed; create it again.")
  }

  const show = () => {
    shown?.life.abort()
    shown = box === undefined ? undefined : appear(kind, session, box.root, options, emit)
  }

  const element: Element = {
    on: (event, handler) => {
      alive()
      bind(event, handler, box !== undefined)
    },
    mount: (selector) => {
      alive()
      if (box !== undefined) throw mistake(`it is already mounted at "${where}"; call unmount first.`)
      const target = find(selector, mistake)
      const unbound = kind.required.filter((event) => !handlers.has(event))
      if (unbound.length > 0) throw mistake(`bind a handler for ${unbound.join(" and ")} before mount.`)
      where = selector
      renew()
      box = boxIn(target)
      show()
    },
    unmount: () => {
      alive()
      shown?.life.abort()
      box?.element.remove()
      box = shown = undefined
    },
    destroy: () => {
      element.unmount()
      destroyed = true
      handlers.clear()
      onDestroy()
    },
    update: (more) => {
      alive()
      options = checked(kind, kind.merge(options, more as O))
      show()
    }
  }
  if (kind.name !== "checkout") return element
  const confirmOrder = () => {
    alive()
    confirmIn(shown?.place, mistake)
  }
  return { ...element, confirmOrder }
}
