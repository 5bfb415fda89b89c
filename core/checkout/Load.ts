/**
 * Loads the SDK: returns a typed SDK immediately, even before its script has arrived. The script is in the page's markup and
 * comes from the service's host (DP 6.3). Calls made before it arrives are queued and made in order, and no event is lost,
 * whenever its handler is bound.
 */
import { type Element, type Elements, EVENTS, type EventsOf, type Failure, type Name, type OptionsOf } from "./Types.ts"

export interface LoadOptions {
  /** The address of the script in the markup: `https://sdk.example.com/v1`. */
  readonly sdk: string
  readonly publicKey: string
  /** The elements' language, if the service's SDK accepts one: `de`, `en-gb`. */
  readonly locale?: string
  /** Called with the errors of calls that the SDK rejects; by default they are uncaught errors of the page. */
  readonly onError?: (error: unknown) => void
  /** The script's global name. Assumption: it is not shown; `DeferredPayment` by default. */
  readonly global?: string
}

export interface Sdk {
  /** Rejects if the script is not in the markup or does not load; elements fire `failure` then. */
  readonly loaded: Promise<void>
  /** A group of elements, with at most one of each name. */
  readonly elements: () => Elements
}

/** The SDK as the script defines it. */
interface Real {
  readonly on: (event: string, handler: (payload: never) => void) => void
  readonly mount: (selector: string) => void
  readonly unmount: () => void
  readonly destroy: () => void
  readonly update: (options: object) => void
  readonly confirmOrder?: () => void
}
interface RealElements {
  readonly create: (name: string, options: object) => Real
}
type Create = (publicKey: string, options: object) => { readonly elements: (() => RealElements) | RealElements }

const isOf =
  (sdk: string) =>
  ({ src }: HTMLScriptElement) =>
    src.replace(/[?#].*$/s, "").replace(/\/$/, "") === sdk.replace(/\/$/, "")

/** Resolves with the script's global once it has run. */
const arrival = (sdk: string, global: string): Promise<Create> =>
  new Promise((resolve, reject) => {
    const look = () => {
      const create = (window as unknown as Record<string, Create | undefined>)[global]
      if (create !== undefined) return resolve(create)
      if (document.readyState !== "complete") return
      const why = [...document.scripts].some(isOf(sdk)) ? "has not loaded" : "is not in the page's markup"
      reject(new Error(`<script src="${sdk}" async></script> ${why}`))
    }
    // When the window has loaded, every script in the markup has run or failed.
    window.addEventListener("load", look)
    document.addEventListener("load", look, true)
    look()
  })

const facade = <N extends Name>(
  name: N,
  options: OptionsOf[N],
  elements: Promise<RealElements>,
  onError: (error: unknown) => void,
  onDestroy: () => void
): Element<N> => {
  const handlers: { [event: string]: Array<(payload: never) => void> } = {}
  const missed: { [event: string]: Array<never> } = {}
  const emit = (event: string, payload: unknown) => {
    const bound = handlers[event]
    if (bound === undefined) (missed[event] ??= []).push(payload as never)
    else for (const handler of bound) handler(payload as never)
  }
  let real = elements.then((all) => {
    const made = all.create(name, options)
    for (const event of EVENTS[name]) made.on(event, (payload) => emit(event, payload))
    return made
  })
  real.catch((cause) => {
    emit("failure", { code: "sdk", message: String(cause?.message ?? cause) } satisfies Failure)
    onError(cause)
  })
  /** Queues a call after all earlier ones. */
  const later = (act: (element: Real) => void) => {
    real = real.then((element) => {
      try {
        act(element)
      } catch (cause) {
        onError(cause)
      }
      return element
    })
    // Already reported for the first rejected call.
    real.catch(() => {})
  }
  return {
    on: <E extends keyof EventsOf[N]>(event: E, handler: (payload: EventsOf[N][E]) => void) => {
      const key = event as string
      ;(handlers[key] ??= []).push(handler)
      for (const payload of missed[key] ?? []) queueMicrotask(() => handler(payload))
      delete missed[key]
    },
    mount: (selector) => later((element) => element.mount(selector)),
    unmount: () => later((element) => element.unmount()),
    destroy: () => {
      onDestroy()
      later((element) => element.destroy())
    },
    update: (more) => later((element) => element.update(more)),
    confirmOrder: (name === "checkout"
      ? () => later((element) => element.confirmOrder?.())
      : undefined) as Element<N>["confirmOrder"]
  }
}

/** Returns the SDK immediately. On a server, where there is no page, it never becomes ready. */
export const load = ({ global = "DeferredPayment", locale, onError, publicKey, sdk }: LoadOptions): Sdk => {
  const refused = onError ?? ((error: unknown) => reportError(error))
  const made = (typeof document === "undefined" ? new Promise<Create>(() => {}) : arrival(sdk, global)).then((create) =>
    create(publicKey, locale === undefined ? {} : { locale })
  )
  const loaded = made.then(() => {})
  // Not an uncaught rejection: callers may await it, and the elements report the failure too.
  loaded.catch(() => {})
  return {
    loaded,
    elements: () => {
      const all = new Map<Name, Element<Name>>()
      const real = made.then(({ elements }) => (typeof elements === "function" ? elements() : elements))
      real.catch(() => {})
      return {
        create: (name, options) => {
          const element = facade(
            name,
            options,
            real,
            refused,
            () => all.get(name) === (element as unknown) && all.delete(name)
          )
          all.set(name, element as unknown as Element<Name>)
          return element
        },
        getElement: <N extends Name>(name: N) => (all.get(name) ?? null) as Element<N> | null
      }
    }
  }
}
