/**
 * The loader: a typed SDK at once, whenever its script arrives. The script stands in the page's markup and comes from the
 * service's host (DP 6.3); what is called before it is there is done in that order once it is, and no event is lost,
 * whenever its handler is bound.
 */
import { type Element, type Elements, EVENTS, type EventsOf, type Failure, type Name, type OptionsOf } from "./Types.ts"

export interface LoadOptions {
  /** Where the script of the markup comes from: `https://sdk.example.com/v1`. */
  readonly sdk: string
  readonly publicKey: string
  /** The elements' language, where the service's SDK takes one: `de`, `en-gb`. */
  readonly locale?: string
  /** Called with the calls that the SDK refuses; they are uncaught errors of the page, unless given. */
  readonly onError?: (error: unknown) => void
  /** Assumption: what the script calls itself is not shown. `DeferredPayment`, unless given. */
  readonly global?: string
}

export interface Sdk {
  /** Rejects when the script is not in the markup or does not load; elements fire `failure` then. */
  readonly loaded: Promise<void>
  /** Elements that know each other by name: one of each. */
  readonly elements: () => Elements
}

/** The SDK as its script makes it. */
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

/** What the script makes of itself, once it has run. */
const arrival = (sdk: string, global: string): Promise<Create> =>
  new Promise((resolve, reject) => {
    const look = () => {
      const create = (window as unknown as Record<string, Create | undefined>)[global]
      if (create !== undefined) return resolve(create)
      if (document.readyState !== "complete") return
      const why = [...document.scripts].some(isOf(sdk)) ? "has not loaded" : "is not in the page's markup"
      reject(new Error(`<script src="${sdk}" async></script> ${why}`))
    }
    // Every script of the markup has run, or failed, when the window has loaded.
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
  /** After everything that was called before. */
  const later = (act: (element: Real) => void) => {
    real = real.then((element) => {
      try {
        act(element)
      } catch (cause) {
        onError(cause)
      }
      return element
    })
    // Said already, of the first that was refused.
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

/** The SDK, from the first moment on. On a server, where there is no page, it waits for ever. */
export const load = ({ global = "DeferredPayment", locale, onError, publicKey, sdk }: LoadOptions): Sdk => {
  const refused = onError ?? ((error: unknown) => reportError(error))
  const made = (typeof document === "undefined" ? new Promise<Create>(() => {}) : arrival(sdk, global)).then((create) =>
    create(publicKey, locale === undefined ? {} : { locale })
  )
  const loaded = made.then(() => {})
  // Whoever wants to know asks; the elements report it, too.
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
