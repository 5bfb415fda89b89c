/**
 * Implements what both elements share (DP 6.3): they are created with options, bound to handlers, mounted into a page,
 * unmounted (keeping their state) or destroyed, and shown again with other options.
 */
import { type Failure, failureOf, type Session, warn } from "./Session.ts"
import style from "./style.css"

/** A mistake in how a page uses the SDK, thrown where it is made. */
export class IntegrationError extends Error {
  override readonly name = "IntegrationError"
}

/** One display of an element, from a mount or an update until it ends. */
export interface Place {
  readonly root: ShadowRoot
  readonly session: Session
  /** Aborted when this display ends. */
  readonly signal: AbortSignal
  readonly emit: (event: string, payload?: unknown) => void
  /** Ends this display after a failure: removes what is shown, and reports why. */
  readonly fail: (cause: unknown) => void
  /** What `confirmOrder` does; undefined while nothing can be confirmed. */
  confirm?: () => void
}

export interface Kind<O extends object> {
  readonly name: string
  readonly options: ReadonlyArray<keyof O & string>
  readonly events: ReadonlyArray<string>
  /** Events that must have a handler before the element can be mounted. */
  readonly required: ReadonlyArray<string>
  /** Throws an `IntegrationError` if these options cannot be shown. */
  readonly check: (options: O) => void
  /** Merges the options of an update. */
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

/** The style sheet of all elements. It is created by script, so the page's content security policy need not allow it. */
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

/** The handlers by event, and how they are called. */
const bindings = (name: string, events: ReadonlyArray<string>, mistake: Mistake) => {
  const handlers = new Map<string, Array<(payload: unknown) => void>>()
  let announced = false
  return {
    handlers,
    /** Called when it is mounted again, so that `ready` fires again. */
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
          // An error in one handler must not stop the others; it is shown in the console.
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

/** Runs `confirmOrder`, if possible. */
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

/** Shows the element in an empty root; a failure ends this display and is reported. */
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
